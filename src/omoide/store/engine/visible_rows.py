"""What a reader may see, as views that take the place of the tables: here it is decided which rows leave the file.

A connection for a reader has a temporary view of the same name over every table that holds words. Names without a
schema mean the view, so no query can read what the reader must not see. Copies in memory are loaded from `main` and
hold ids and numbers only.
"""

from __future__ import annotations

from collections.abc import Mapping

from omoide.domain.trust import Viewer
from omoide.store.engine.connection import Connection

_VISIBLE = {False: "NOT {node}.sensitive", True: "{node}.audience = 'shared' AND NOT {node}.sensitive"}  # by `shared`
_OF_NODE = {  # table: the columns that refer to nodes, all of which must be visible
    "edge": ("source_id", "target_id"),
    "change": ("node_id",),
    "node_entity": ("node_id",),
    "mentioned_time": ("node_id",),
    "proposal": ("node_id",),
    "refusal": ("node_id",),
    "archived": ("node_id",),
    "embedding_queue": ("node_id",),
    "task": ("node_id",),
    "task_entry": ("task_id",),
    "handed_out": ("task_id", "node_id"),
    "credit": ("node_id",),
    "binding": ("node_id",),
}
_ONLY_PRIVATE = (  # words whose memories are not known row by row: others see none of them
    "checkpoint", "consent", "entity_change", "foreign_file", "job_run", "journal", "live_board", "merge_move",
    "night_change", "set_aside",
)  # fmt: skip
# Others learn a name only if a memory that they may see says it.
_SAID = """instr(
    lower(iif(said.text = '', coalesce(archived_index_text(said.id), ''), said.text) || coalesce(said.attributes, '')),
    lower(entity.name)
)"""
INDEXES = (  # hold words, but are only searched: what is found is read through the views
    "archive_block", "entity_vector", "token_state", "vector", "nodes_fts_data", "nodes_fts_docsize", "nodes_fts_idx",
)  # fmt: skip


def restrict(db: Connection, viewer: Viewer) -> Connection:
    """Puts the views of a reader in the place of the tables. The connection can only read afterwards."""
    for name, select in visible_tables(db, viewer.shared).items():
        db.execute(f"CREATE TEMP VIEW {name} AS {select}")
    db.pragma("query_only", True)
    return db


def visible_tables(db: Connection, shared: bool) -> Mapping[str, str]:
    """The query behind the view of each table."""
    views = {"node": f"SELECT * FROM main.node WHERE {_visible('node', shared)}"}
    for table, columns in _OF_NODE.items():
        visible = " AND ".join(_exists(f"{table}.{each}") for each in columns)
        views[table] = f"SELECT * FROM main.{table} WHERE {visible}"
    views |= _of_sessions(db, shared) | _of_entities(db, shared)
    views["ledger"] = f"SELECT * FROM main.ledger WHERE {_exists('ledger.node_id')}"
    if shared:
        views |= {name: f"SELECT * FROM main.{name} WHERE FALSE" for name in _ONLY_PRIVATE}
    else:
        views["ledger"] += " OR ledger.node_id IS NULL"
    return views


def _visible(node: str, shared: bool) -> str:
    return _VISIBLE[shared].format(node=node)


def _exists(column: str) -> str:
    return f"EXISTS (SELECT 1 FROM temp.node AS seen WHERE seen.id = {column})"


def _of_sessions(db: Connection, shared: bool) -> dict[str, str]:
    """A session of which some turn is visible, or none exists; others do not see summaries, which are of all turns."""
    turns = "(SELECT 1 FROM temp.node AS seen WHERE seen.session_id = session.id)"
    if not shared:
        empty = "NOT EXISTS (SELECT 1 FROM main.node AS turn WHERE turn.session_id = session.id)"
        return {"session": f"SELECT * FROM main.session WHERE EXISTS {turns} OR {empty}"}
    hidden = ("user_id", "summary", "summary_of", "summary_by", "learn_error")
    shown = _columns(db, "session", dict.fromkeys(hidden, "NULL"))
    return {"session": f"SELECT {shown} FROM main.session WHERE EXISTS {turns}"}


def _of_entities(db: Connection, shared: bool) -> dict[str, str]:
    """Entities that a visible memory mentions. Others see no descriptions, aliases and properties, which may come from
    private memories."""
    mentioned = """
        SELECT 1 FROM main.node_entity AS mention
        JOIN temp.node AS said ON said.id = mention.node_id
        WHERE mention.entity_id = entity.id"""
    if not shared:
        unsaid = "NOT EXISTS (SELECT 1 FROM main.node_entity AS mention WHERE mention.entity_id = entity.id)"
        source = f"(relation.source_node_id IS NULL OR {_exists('relation.source_node_id')})"
        return {
            "entity": f"SELECT * FROM main.entity WHERE EXISTS ({mentioned}) OR {unsaid}",
            "entity_name": f"SELECT * FROM main.entity_name WHERE {_known('entity_name.entity_id')}",
            "relation": f"SELECT * FROM main.relation WHERE {_ends()} AND {source}",
        }
    counted = "(SELECT count(*) FROM temp.node_entity AS mention WHERE mention.entity_id = entity.id)"
    unknown = {"description": "NULL", "summary": "NULL", "attributes": "'{}'", "mention_count": counted}
    shown, ties = _columns(db, "entity", unknown), _columns(db, "relation", {"properties": "'{}'"})
    return {
        "entity": f"SELECT {shown} FROM main.entity WHERE EXISTS ({mentioned} AND {_SAID})",
        "entity_name": f"""
            SELECT * FROM main.entity_name WHERE NOT is_alias AND {_known("entity_name.entity_id")}""",
        "relation": f"SELECT {ties} FROM main.relation WHERE {_ends()} AND {_exists('relation.source_node_id')}",
    }


def _columns(db: Connection, table: str, instead: Mapping[str, str]) -> str:
    """The columns of a table, some of them with another value."""
    names = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
    return ", ".join(f"{instead[name]} AS {name}" if name in instead else name for name in names)


def _known(column: str) -> str:
    return f"EXISTS (SELECT 1 FROM temp.entity AS known WHERE known.id = {column})"


def _ends() -> str:
    return f"{_known('relation.source_id')} AND {_known('relation.target_id')}"
