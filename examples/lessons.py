"""The same kind of task three times: the second avoids the first's mistake, because memory told it.

    python examples/lessons.py

The agent is a script, so that it runs offline and says the same every time; everything it knows it has from memory.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from omoide import Memory

GOALS = ("Add the orders endpoint", "Add the users endpoint", "Add the invoices endpoint")
ERROR = ("TypeScript", "Missing return type annotation")
FIX = "Add an explicit return type, : void, to the route handler"


class Compiler:
    """A strict compiler, as far as this story needs one."""

    def check(self, code: str) -> str | None:
        return None if ": void" in code else f"src/routes.ts(12,3): error TS7010: {ERROR[1]}"


def write(knows_the_fix: bool) -> str:
    return "(req, res): void => { … }" if knows_the_fix else "(req, res) => { … }"


def work(memory: Memory, goal: str, day: int) -> int:
    """One task, as an agent does it: ask, write, check, and tell what happened. How often it had to try."""
    print(f"\nDay {day}: {goal}")
    with memory.task(goal, type="feature", agent="eng-001", files=["src/routes.ts"]) as task:
        briefing = task.before()
        for hit in briefing.mistakes:
            print(f"  memory, before: avoid “{hit.node.attributes['why']}” — {hit.node.attributes['prevention']}")
        if not briefing.hits:
            print("  memory, before: nothing like it was done before")
        knows = any(FIX in hit.node.attributes["prevention"] for hit in briefing.mistakes)
        tries = 0
        while True:
            tries += 1
            failure = Compiler().check(write(knows))
            task.action("compile", target="src/routes.ts", result="fail" if failure else "pass", error=failure)
            print(f"  compile: {failure or 'passes'}")
            if failure is None:
                break
            for lesson in memory.tasks.lessons(error=failure):
                print(f"  memory, at the error: {lesson.node.text}")
            task.error(*ERROR).resolved(FIX)
            knows = True
        task.succeed(commit=f"c0ffee{day}")
    learned = memory.tasks.learn().counts
    print(f"  {tries} {'try' if tries == 1 else 'tries'}; learned: {dict(learned) or 'nothing new'}")
    return tries


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, Memory(Path(folder) / "agent.db", embedder=None) as memory:
        tries = [work(memory, goal, day) for day, goal in enumerate(GOALS, start=1)]
        print(f"\nTries: {', '.join(map(str, tries))}. The mistake was made once.")
        (figures,) = memory.tasks.efficiency()
        print(
            f"{figures.type}: {figures.tasks} tasks, {figures.errors:.1f} errors and {figures.retries:.1f} retries each"
        )


if __name__ == "__main__":
    main()
