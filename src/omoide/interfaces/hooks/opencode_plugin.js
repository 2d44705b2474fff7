// Omoide for OpenCode: stores what is said and done, and adds what matters to the prompt.
// Written by `omoide hooks install opencode`; `omoide hooks remove opencode` removes it.
import { spawn } from "node:child_process"

const COMMAND = ["omoide", "hook"]
const SECONDS = 10

// Runs one hook. Whatever goes wrong, OpenCode goes on without it.
function hook(event) {
  return new Promise((resolve) => {
    let out = ""
    try {
      const child = spawn(COMMAND[0], COMMAND.slice(1), { stdio: ["pipe", "pipe", "ignore"] })
      const timer = setTimeout(() => { child.kill(); resolve(undefined) }, SECONDS * 1000)
      const done = () => {
        clearTimeout(timer)
        try { resolve(JSON.parse(out).hookSpecificOutput.additionalContext) } catch { resolve(undefined) }
      }
      child.on("error", done)
      child.on("close", done)
      child.stdin.on("error", () => {})
      child.stdout.on("data", (data) => { out += data })
      child.stdin.end(JSON.stringify(event))
    } catch { resolve(undefined) }
  })
}

const words = (parts) =>
  parts.filter((part) => part.type === "text" && !part.synthetic).map((part) => part.text).join("\n").trim()

export const Omoide = async ({ directory }) => {
  const sessions = new Map() // session → what its requests are told, and the id of the user's last message
  const base = (name, id) => ({ hook_event_name: name, session_id: id, cwd: directory })

  return {
    "chat.message": async (input, output) => {
      const id = input.sessionID
      const prompt = words(output.parts)
      if (!prompt) return
      const turn = input.messageID ?? output.message?.id
      const before = sessions.get(id)
      const told = [before ? before.told : await hook({ ...base("start", id), source: "startup" })]
      told.push(await hook({ ...base("prompt", id), turn_id: turn, prompt }))
      sessions.set(id, { turn, told: told.filter(Boolean).join("\n") })
    },
    "experimental.chat.system.transform": async (input, output) => {
      const told = sessions.get(input.sessionID)?.told
      if (told) output.system.push(told)
    },
    "tool.execute.after": async (input, output) => {
      if (!sessions.has(input.sessionID)) return // a subagent's session, or a title
      const exit = output.metadata?.exit
      const response = { output: output.output, exit_code: typeof exit === "number" ? exit : 0 }
      const call = { tool_name: input.tool, tool_input: input.args, tool_response: response, tool_use_id: input.callID }
      const told = await hook({ ...base("after_tool", input.sessionID), ...call })
      if (told) output.output += `\n\n${told}`
    },
    "experimental.text.complete": async (input, output) => {
      const session = sessions.get(input.sessionID)
      if (!session || !output.text?.trim()) return
      await hook({ ...base("answer", input.sessionID), turn_id: session.turn, last_assistant_message: output.text })
    },
    event: async ({ event }) => {
      const id = event.properties?.sessionID
      if (event.type === "session.deleted" && sessions.delete(id)) await hook(base("end", id))
    },
  }
}
