"""Small sample files in the formats of other systems."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.transfer.peer_samples import GRAPHITI

CHATGPT: list[dict[str, Any]] = [
    {
        "title": "Trip to Rome",
        "conversation_id": "c1",
        "create_time": 1712345678.5,
        "current_node": "n5",
        "mapping": {
            "root": {"id": "root", "message": None, "parent": None, "children": ["n0"]},
            "n0": {
                "parent": "root",
                "message": {
                    "id": "m0",
                    "author": {"role": "system"},
                    "content": {"content_type": "text", "parts": [""]},
                    "metadata": {"is_visually_hidden_from_conversation": True},
                },
            },
            "n1": {
                "parent": "n0",
                "message": {
                    "id": "m1",
                    "author": {"role": "user"},
                    "create_time": 1712345679,
                    "content": {"content_type": "text", "parts": ["I prefer night trains. How do I get to Rome?"]},
                },
            },
            "n2": {
                "parent": "n1",
                "message": {
                    "id": "m2",
                    "author": {"role": "assistant"},
                    "create_time": 1712345680,
                    "content": {"content_type": "text", "parts": ["Fly."]},
                },
            },
            "n3": {
                "parent": "n1",
                "message": {
                    "id": "m3",
                    "author": {"role": "assistant"},
                    "recipient": "browser",
                    "create_time": 1712345681,
                    "content": {"content_type": "code", "text": 'search("night train")'},
                },
            },
            "n4": {
                "parent": "n3",
                "message": {
                    "id": "m4",
                    "author": {"role": "tool", "name": "browser"},
                    "create_time": 1712345682,
                    "content": {"content_type": "execution_output", "text": "Nightjet 40233"},
                },
            },
            "n5": {
                "parent": "n4",
                "message": {
                    "id": "m5",
                    "author": {"role": "assistant"},
                    "create_time": 1712345683,
                    "content": {"content_type": "multimodal_text", "parts": ["Take the Nightjet.", {"asset": 1}]},
                },
            },
        },
    },
    {"title": "Empty", "id": "c2", "create_time": 1712345999, "mapping": {}, "current_node": None},
]
CLAUDE: list[dict[str, Any]] = [
    {
        "uuid": "u1",
        "name": "Tea",
        "created_at": "2025-03-02T10:00:00.000000Z",
        "chat_messages": [
            {
                "uuid": "a1",
                "sender": "human",
                "text": "Which tea has no caffeine?",
                "content": [{"type": "text", "text": "Which tea has no caffeine?"}],
                "created_at": "2025-03-02T10:00:01Z",
                "attachments": [{"file_name": "list.txt", "extracted_content": "Green 30 mg, rooibos none"}],
            },
            {
                "uuid": "a2",
                "sender": "assistant",
                "text": "",
                "content": [
                    {"type": "thinking", "thinking": "hm"},
                    {"type": "text", "text": "Let me look."},
                    {"type": "tool_use", "name": "web_search", "input": {"query": "tea"}},
                    {"type": "tool_result", "name": "web_search", "content": [{"type": "text", "text": "rooibos"}]},
                    {"type": "text", "text": "Rooibos."},
                ],
                "created_at": "2025-03-02T10:00:05Z",
            },
            {"uuid": "a3", "sender": "human", "text": "", "content": [], "created_at": "2025-03-02T10:01:00Z"},
        ],
    }
]
CLAUDE_MEMORIES = [
    {
        "conversations_memory": "**Personal context**\n\nOtto keeps bees.\n\nHe rows on Sundays.",
        "project_memories": {"p1": "Glaze with ash."},
        "account_uuid": "x",
    }
]
CLAUDE_PROJECTS = [
    {
        "uuid": "p1",
        "name": "Pottery",
        "description": "Pots and kilns",
        "prompt_template": "Be brief.",
        "created_at": "2025-02-01T09:00:00Z",
        "docs": [
            {"filename": "cones.md", "content": "Cone 6 is 1222 °C", "created_at": "2025-01-31T09:00:00Z"},
            {"filename": "empty.md", "content": ""},
        ],
    }
]
MEM0 = {
    "results": [
        {
            "id": "9f3a",
            "memory": "Likes hiking in the Alps",
            "hash": "x",
            "user_id": "otto",
            "categories": ["hobbies"],
            "metadata": {"source": "chat"},
            "created_at": "2025-01-05T10:00:00-07:00",
            "updated_at": None,
        },
        {"id": "9f3b", "memory": ""},
    ],
    "relations": [{"source": "otto", "relationship": "likes", "target": "alps"}],
}
LETTA = {
    "agents": [
        {
            "id": "agent-0",
            "name": "Sam",
            "messages": [
                {
                    "id": "message-0",
                    "role": "system",
                    "content": [{"type": "text", "text": "You are Sam"}],
                    "created_at": "2025-06-01T08:00:00+00:00",
                },
                {
                    "id": "message-1",
                    "role": "user",
                    "content": [{"type": "text", "text": '{"type": "user_message", "message": "I keep bees."}'}],
                    "created_at": "2025-06-01T08:00:01+00:00",
                },
                {
                    "id": "message-2",
                    "role": "assistant",
                    "content": [{"type": "text", "text": "He keeps bees. I greet him."}],
                    "tool_calls": [
                        {"function": {"name": "send_message", "arguments": '{"message": "How many hives?"}'}}
                    ],
                    "created_at": "2025-06-01T08:00:02+00:00",
                },
                {
                    "id": "message-3",
                    "role": "tool",
                    "content": [{"type": "text", "text": '{"status": "OK", "message": "None", "time": "now"}'}],
                    "created_at": "2025-06-01T08:00:02+00:00",
                },
                {
                    "id": "message-4",
                    "role": "user",
                    "content": [{"type": "text", "text": '{"type": "heartbeat", "reason": "automated"}'}],
                    "created_at": "2025-06-01T08:00:03+00:00",
                },
            ],
        }
    ],
    "blocks": [{"id": "block-0", "label": "human", "value": "The human is called Chad."}],
    "passages": [{"id": "passage-7", "text": "Hive two swarmed in May.", "tags": ["bees"], "created_at": "2025-05-20"}],
}
MEMORY_SERVICE = {  # written by mcp-memory-service 12.4, with shorter hashes
    "export_metadata": {"total_memories": 2, "stores": ["default"], "exporter_version": "5.0.1"},
    "memories": [
        {
            "content": "The deploy runs on Fridays.",
            "content_hash": "77244c62",
            "tags": ["deploy"],
            "created_at": 1795040073.5787766,
            "updated_at": 1795040073.5787766,
            "memory_type": "decision",
            "metadata": {},
            "store": "default",
            "export_source": "vm",
        },
        {
            "content": "Otto keeps bees in Bari.",
            "content_hash": "a8a73426",
            "tags": ["bees", "person:otto"],
            "created_at": 1795040073.5320399,
            "updated_at": 1795040073.5320399,
            "memory_type": "note",
            "metadata": {"source": "chat"},
            "store": "default",
            "export_source": "vm",
        },
    ],
}
MEMORY_SERVICE_SQL = """
CREATE TABLE memories (
    id INTEGER PRIMARY KEY AUTOINCREMENT, content_hash TEXT UNIQUE NOT NULL, content TEXT NOT NULL, tags TEXT,
    memory_type TEXT, metadata TEXT, created_at REAL, updated_at REAL, created_at_iso TEXT, updated_at_iso TEXT,
    deleted_at REAL DEFAULT NULL, store TEXT DEFAULT 'default', parent_id TEXT, version INTEGER DEFAULT 1,
    confidence REAL DEFAULT 1.0, last_accessed INTEGER, superseded_by TEXT, embedding_pending INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE memory_graph (
    source_hash TEXT NOT NULL, target_hash TEXT NOT NULL, similarity REAL NOT NULL, connection_types TEXT NOT NULL,
    metadata TEXT, created_at REAL NOT NULL, relationship_type TEXT DEFAULT 'related',
    PRIMARY KEY (source_hash, target_hash)
);
INSERT INTO memories VALUES
    (1, 'a8a73426', 'Otto keeps bees in Bari.', 'bees,person:otto', 'note', '{"source": "chat"}', 1795040073.5320399,
    1795040073.5320399, '2026-11-18T22:14:33.532040Z', '2026-11-18T22:14:33.532040Z', NULL, 'default', NULL, 1, 1.0,
    NULL, NULL, 0),
    (2, '77244c62', 'The deploy runs on Fridays.', 'deploy', 'decision', '{}', 1795040073.5787766, 1795040073.5787766,
    '2026-11-18T22:14:33.578777Z', '2026-11-18T22:14:33.578777Z', NULL, 'default', NULL, 1, 1.0, NULL, NULL, 0),
    (3, 'dff2d57f', 'Old secret plan.', 'untagged', 'note', '{}', 1795040073.5821486, 1795040073.5821486,
    '2026-11-18T22:14:33.582149Z', '2026-11-18T22:14:33.582149Z', 1795040073.5835984, 'default', NULL, 1, 1.0, NULL,
    NULL, 0);
INSERT INTO memory_graph VALUES ('a8a73426', '77244c62', 0.5, '["causal"]', '{}', 1.0, 'causes');
"""
REFERENCE: list[dict[str, Any]] = [
    {"type": "entity", "name": "Otto", "entityType": "person", "observations": ["Speaks Portuguese", "Otto rows"]},
    {"type": "entity", "name": "Kaiser GmbH", "entityType": "company", "observations": []},
    {"type": "relation", "from": "Otto", "to": "Kaiser GmbH", "relationType": "works_at"},
]
CLAUDE_CODE: list[dict[str, Any]] = [
    {"type": "summary", "summary": "Fix the build", "leafUuid": "l"},
    {
        "type": "user",
        "uuid": "p1",
        "sessionId": "s9",
        "timestamp": "2026-01-20T11:57:17.716Z",
        "message": {"role": "user", "content": "Fix the build <system-reminder>be brief</system-reminder>"},
    },
    {
        "type": "assistant",
        "uuid": "p2",
        "sessionId": "s9",
        "timestamp": "2026-01-20T11:57:20Z",
        "message": {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "…"},
                {"type": "text", "text": "I run the tests."},
                {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "make test"}},
            ],
        },
    },
    {
        "type": "user",
        "uuid": "p3",
        "sessionId": "s9",
        "timestamp": "2026-01-20T11:57:30Z",
        "message": {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "t1", "is_error": True, "content": "exit 2"}],
        },
    },
    {
        "type": "user",
        "uuid": "p4",
        "isSidechain": True,
        "sessionId": "s9",
        "message": {"role": "user", "content": "search the code"},
    },
    {
        "type": "user",
        "uuid": "p5",
        "sessionId": "s9",
        "message": {"role": "user", "content": "<command-name>/clear</command-name>"},
    },
]
CODEX: list[dict[str, Any]] = [
    {"timestamp": "2025-10-29T00:59:38Z", "type": "session_meta", "payload": {"id": "r1", "cli_version": "0.46.0"}},
    {
        "timestamp": "2025-10-29T00:59:38Z",
        "type": "response_item",
        "payload": {
            "type": "message",
            "role": "user",
            "content": [{"type": "input_text", "text": "<environment_context>…</environment_context>"}],
        },
    },
    {
        "timestamp": "2025-10-29T00:59:39Z",
        "type": "response_item",
        "payload": {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "List the files"}]},
    },
    {
        "timestamp": "2025-10-29T00:59:39Z",
        "type": "event_msg",
        "payload": {"type": "user_message", "message": "List the files"},
    },
    {
        "timestamp": "2025-10-29T00:59:40Z",
        "type": "response_item",
        "payload": {"type": "function_call", "name": "shell", "arguments": '{"command":["ls"]}', "call_id": "k1"},
    },
    {
        "timestamp": "2025-10-29T00:59:41Z",
        "type": "response_item",
        "payload": {
            "type": "function_call_output",
            "call_id": "k1",
            "output": '{"output":"a.txt","metadata":{"exit_code":0}}',
        },
    },
    {
        "timestamp": "2025-10-29T00:59:42Z",
        "type": "response_item",
        "payload": {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "a.txt"}]},
    },
]
TURNS = [
    {
        "role": "user",
        "content": "The shed key hangs behind the door",
        "session": "t",
        "at": "2026-02-01T08:00:00Z",
    },
    {"role": "assistant", "content": [{"type": "text", "text": "Noted."}], "session": "t", "timestamp": 1769932801},
    {"messages": [{"role": "user", "content": "Ahoy"}, {"role": "tool", "name": "radio", "content": "static"}]},
]
MEMORY_MD = """# Memory

Otto's assistant keeps this file.

## Deploy (2026-02-11)

- The app runs on Vercel's hobby plan
  - the staging one too
- Deploys happen on Fridays

```sh
# not a heading
make deploy
```
"""
DAILY_MD = """# 2026-02-12

## 14:30 Standup
- Decided to keep SQLite
"""
NOTE_MD = """---
title: Coffee
type: note
tags: [drinks, morning]
created: 2025-04-01
---
# Coffee

Brewed by hand, see [[Water|the water]].

## Observations
- [method] Pour over gives clarity #brewing (tried twice)
- [ ] buy filters

## Relations
- requires [[Water]]
- likes [[Nothing Here]]
"""
WATER_MD = "Soft water, 205°F.\n"


def lines(rows: list[Any]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def laid(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder


def everything(folder: Path) -> dict[str, Path]:
    """Writes a sample of each format. Returns their paths."""
    laid(
        folder,
        {
            "chatgpt/conversations.json": json.dumps(CHATGPT),
            "claude/conversations.json": json.dumps(CLAUDE),
            "mem0.json": json.dumps(MEM0),
            "service.json": json.dumps(MEMORY_SERVICE),
            "sam.af": json.dumps(LETTA),
            "graph.json": json.dumps(GRAPHITI),
            "memory.jsonl": lines(REFERENCE),
            "s9.jsonl": lines(CLAUDE_CODE),
            "rollout-2025-10-29.jsonl": lines(CODEX),
            "turns.jsonl": lines(TURNS),
            "claw/MEMORY.md": MEMORY_MD,
            "claw/memory/2026-02-12.md": DAILY_MD,
            "claw/memory/README.txt": "not a memory",
            "vault/Coffee.md": NOTE_MD,
            "vault/Water.md": WATER_MD,
            "vault/.obsidian/app.json": "{}",
        },
    )
    return {
        "chatgpt": folder / "chatgpt",
        "claude": folder / "claude" / "conversations.json",
        "mem0": folder / "mem0.json",
        "memory-service": folder / "service.json",
        "letta": folder / "sam.af",
        "graphiti": folder / "graph.json",
        "mcp": folder / "memory.jsonl",
        "claude-code": folder / "s9.jsonl",
        "codex": folder / "rollout-2025-10-29.jsonl",
        "turns": folder / "turns.jsonl",
        "openclaw": folder / "claw",
        "markdown": folder / "vault",
    }
