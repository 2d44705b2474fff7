"""Where each verb stands, in the order of the help page.

Named and not imported: eighty verbs take longer to read than most of them take to answer.
"""

from __future__ import annotations

# Panel, verb, the file of this folder that holds it.
PANELS: dict[str, dict[str, str]] = {
    "Tell": {
        "observe": "observe",
        "remember": "remember",
        "shelve": "shelf",
        "end": "session",
        "learn": "learn",
        "narrate": "narrative",
        "continuity": "narrative",
        "ledger": "agents",
        "bind": "lessons",
        "unbind": "lessons",
    },
    "Ask": {
        "recall": "recall",
        "context": "recall",
        "before": "tasks",
        "show": "show",
        "history": "show",
        "explain": "learn",
        "weak": "learn",
        "shelf": "shelf",
        "sessions": "session",
        "turns": "session",
        "resume": "resume",
        "where": "narrative",
        "narratives": "narrative",
        "lessons": "lessons",
        "efficiency": "agents",
    },
    "Judge": {
        "correct": "remember",
        "update": "remember",
        "confirm": "remember",
        "reinforce": "remember",
        "demote": "remember",
        "outcome": "learn",
        "credit": "tasks",
        "contradictions": "notes",
        "resolve": "notes",
        "archive": "archive",
        "unarchive": "archive",
    },
    "Connect": {
        "link": "graph",
        "unlink": "notes",
        "links": "notes",
        "suggest": "notes",
        "entity": "graph",
        "entities": "things",
        "relate": "graph",
        "unrelate": "things",
        "merge": "graph",
        "split": "graph",
        "graph": "things",
        "draw": "things",
        "drop": "things",
    },
    "Serve": {
        "init": "init",
        "mcp": "mcp",
        "serve": "serve",
        "tools": "mcp",
        "hooks": "hooks",
        "demo": "story",
    },
    "Forget": {
        "forget": "forget",
        "receipts": "forget",
    },
    "Look after": {
        "stats": "upkeep",
        "maintain": "maintain",
        "daemon": "daemon",
        "doctor": "upkeep",
        "flush": "upkeep",
        "version": "upkeep",
    },
    "Copy": {
        "backup": "backup",
        "restore": "backup",
        "export": "transfer",
        "import": "transfer",
    },
}

# Verbs of several words: panel, the file, and what it calls them there.
GROUPS: dict[str, tuple[str, str, str]] = {
    "task": ("Tell", "tasks", "app"),
    "handoff": ("Tell", "agents", "handoffs"),
    "skill": ("Connect", "skills", "skill"),
    "loki": ("Look after", "skills", "loki"),
}
