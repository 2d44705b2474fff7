"""What real programs wrote: mem0 2.2 and graphiti-core 0.31 on Kuzu, with shorter ids; basic-memory 0.23 as it is."""

from __future__ import annotations

from typing import Any

MEM0_BEFORE: dict[str, Any] = {
    "results": [
        {
            "id": "14dcdf75",
            "memory": "How many hives?",
            "hash": "e99fe174b80a6f2a969ce3e9830b9235",
            "metadata": None,
            "created_at": "2025-11-19T02:06:03.631526+00:00",
            "updated_at": "2025-11-19T02:06:03.631526+00:00",
            "user_id": "otto",
            "run_id": "r1",
            "role": "assistant",
        },
        {
            "id": "5c82254c",
            "memory": "Otto hates tea.",
            "hash": "b4d286acc2539483b58dc8dac4b9d8d4",
            "metadata": None,
            "created_at": "2025-11-19T02:06:03.639296+00:00",
            "updated_at": "2025-11-19T02:06:03.639296+00:00",
            "user_id": "otto",
            "role": "user",
        },
        {
            "id": "b3bb27f2",
            "memory": "Otto lives in Berlin.",
            "hash": "5ae37251a4a8c0a032ecc707919c08cb",
            "metadata": {"source": "chat"},
            "created_at": "2025-11-19T02:06:03.601897+00:00",
            "updated_at": "2025-11-19T02:06:03.601897+00:00",
            "user_id": "otto",
            "role": "user",
        },
        {
            "id": "e78749d7",
            "memory": "I keep bees.",
            "hash": "2a3a25e943d4b5573bf4f5af870f3ffa",
            "metadata": None,
            "created_at": "2025-11-19T02:06:03.622907+00:00",
            "updated_at": "2025-11-19T02:06:03.622907+00:00",
            "user_id": "otto",
            "run_id": "r1",
            "role": "user",
        },
    ]
}
MEM0_AFTER: dict[str, Any] = {
    "results": [
        {
            "id": "14dcdf75",
            "memory": "How many hives?",
            "hash": "e99fe174b80a6f2a969ce3e9830b9235",
            "metadata": None,
            "created_at": "2025-11-19T02:06:03.631526+00:00",
            "updated_at": "2025-11-19T02:06:03.631526+00:00",
            "user_id": "otto",
            "run_id": "r1",
            "role": "assistant",
        },
        {
            "id": "b3bb27f2",
            "memory": "Otto lives in Lisbon.",
            "hash": "948e8e51ef52debd78a4aae29be55779",
            "metadata": {"source": "chat"},
            "created_at": "2025-11-19T02:06:03.601897+00:00",
            "updated_at": "2025-11-19T02:06:03.687274+00:00",
            "user_id": "otto",
            "role": "user",
        },
        {
            "id": "e78749d7",
            "memory": "I keep bees.",
            "hash": "2a3a25e943d4b5573bf4f5af870f3ffa",
            "metadata": None,
            "created_at": "2025-11-19T02:06:03.622907+00:00",
            "updated_at": "2025-11-19T02:06:03.622907+00:00",
            "user_id": "otto",
            "run_id": "r1",
            "role": "user",
        },
    ]
}
MEM0_HISTORY: list[dict[str, Any]] = [
    {
        "id": "cd6e52ad",
        "memory_id": "b3bb27f2",
        "old_memory": None,
        "new_memory": "Otto lives in Berlin.",
        "event": "ADD",
        "created_at": "2025-11-19T02:06:03.601897+00:00",
        "updated_at": "2025-11-19T02:06:03.601897+00:00",
        "is_deleted": False,
        "actor_id": None,
        "role": "user",
    },
    {
        "id": "5145da29",
        "memory_id": "b3bb27f2",
        "old_memory": "Otto lives in Berlin.",
        "new_memory": "Otto lives in Lisbon.",
        "event": "UPDATE",
        "created_at": "2025-11-19T02:06:03.601897+00:00",
        "updated_at": "2025-11-19T02:06:03.687274+00:00",
        "is_deleted": False,
        "actor_id": None,
        "role": "user",
    },
    {
        "id": "49761574",
        "memory_id": "5c82254c",
        "old_memory": None,
        "new_memory": "Otto hates tea.",
        "event": "ADD",
        "created_at": "2025-11-19T02:06:03.639296+00:00",
        "updated_at": "2025-11-19T02:06:03.639296+00:00",
        "is_deleted": False,
        "actor_id": None,
        "role": "user",
    },
    {
        "id": "88044655",
        "memory_id": "5c82254c",
        "old_memory": "Otto hates tea.",
        "new_memory": None,
        "event": "DELETE",
        "created_at": "2025-11-19T02:06:03.639296+00:00",
        "updated_at": "2025-11-19T02:06:03.718929+00:00",
        "is_deleted": True,
        "actor_id": None,
        "role": "user",
    },
]
GRAPHITI: dict[str, Any] = {
    "nodes": [
        {
            "uuid": "d1f639e4",
            "name": "Otto",
            "group_id": "otto",
            "labels": ["Entity", "Person"],
            "created_at": "2025-03-03T09:00:00",
            "summary": "Otto moved to Lisbon in March 2025.",
            "attributes": {"age": 41},
        },
        {
            "uuid": "8af3dafe",
            "name": "Berlin",
            "group_id": "otto",
            "labels": ["Entity"],
            "created_at": "2025-03-03T09:00:00",
            "summary": "",
            "attributes": {},
        },
        {
            "uuid": "1fec8777",
            "name": "Lisbon",
            "group_id": "otto",
            "labels": ["Entity", "City"],
            "created_at": "2025-03-03T09:00:00",
            "summary": "",
            "attributes": {},
        },
    ],
    "edges": [
        {
            "uuid": "a32d4bfb",
            "group_id": "otto",
            "source_node_uuid": "d1f639e4",
            "target_node_uuid": "1fec8777",
            "created_at": "2025-03-03T09:00:00",
            "name": "LIVES_IN",
            "fact": "Otto lives in Lisbon.",
            "episodes": ["b7714079"],
            "expired_at": None,
            "valid_at": "2025-03-01T09:00:00",
            "invalid_at": None,
            "reference_time": None,
            "attributes": {},
        },
        {
            "uuid": "95eff19f",
            "group_id": "otto",
            "source_node_uuid": "d1f639e4",
            "target_node_uuid": "8af3dafe",
            "created_at": "2025-03-03T09:00:00",
            "name": "LIVES_IN",
            "fact": "Otto lives in Berlin.",
            "episodes": ["b7714079"],
            "expired_at": "2025-03-03T09:00:00",
            "valid_at": "2019-01-01T09:00:00",
            "invalid_at": "2025-03-01T09:00:00",
            "reference_time": None,
            "attributes": {},
        },
    ],
    "episodes": [
        {
            "uuid": "b7714079",
            "name": "msg 1",
            "group_id": "otto",
            "labels": [],
            "created_at": "2025-03-03T09:00:00",
            "source": "message",
            "source_description": "chat",
            "content": "Otto: I moved from Berlin to Lisbon.\nassistant: When was that?",
            "valid_at": "2025-03-02T09:00:00",
            "entity_edges": ["95eff19f", "a32d4bfb"],
            "episode_metadata": None,
        },
        {
            "uuid": "a2dba739",
            "name": "letter",
            "group_id": "otto",
            "labels": [],
            "created_at": "2025-03-05T09:00:00",
            "source": "text",
            "source_description": "a letter",
            "content": "The boat needs paint.",
            "valid_at": "2025-03-05T09:00:00",
            "entity_edges": [],
            "episode_metadata": None,
        },
        {
            "uuid": "817d0bdc",
            "name": "menu",
            "group_id": "otto",
            "labels": [],
            "created_at": "2025-03-04T09:00:00",
            "source": "json",
            "source_description": "menu of the week",
            "content": '{"monday": "soup"}',
            "valid_at": "2025-03-04T09:00:00",
            "entity_edges": [],
            "episode_metadata": None,
        },
    ],
    "communities": [
        {
            "uuid": "9861f1f6",
            "name": "Otto's homes",
            "group_id": "otto",
            "labels": [],
            "created_at": "2025-03-03T09:00:00",
            "summary": "Where Otto has lived.",
        }
    ],
}
BASIC_MEMORY = {
    "brewing/Pour Over.md": """---
title: Pour Over
type: note
permalink: notes/brewing/pour-over
tags:
- coffee
---

# Pour Over

Slow water, clear taste.

## Observations
- [method] Pour in circles #brewing (morning)
- [tip] Rinse the filter

## Relations
- requires [[Soft Water]] (below 100 ppm)
- improves [[Morning]]

- [tip] Use a gooseneck kettle (from Ada)
""",
    "brewing/Soft Water.md": """---
title: Soft Water
type: note
permalink: notes/brewing/soft-water
tags:
- water
- coffee
---

Rain water, below 60 ppm. See [[Pour Over]].

## Relations
- part_of [[brewing/pour-over|the recipe]]
""",
    "people/Ada.md": """---
title: Ada
type: person
permalink: notes/people/ada
role: barista
---

# Ada

- [fact] Ada roasts on Mondays #roast
- knows [[Otto]]""",
}
