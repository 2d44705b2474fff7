"""The table of verbs: every method of Memory that an interface offers, and what each interface does differently.

The signature and the docstring of the method generate the CLI command, the HTTP route and the reference page. What an
interface leaves out is listed in `omissions.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from omoide.domain.trust import acting
from omoide.errors import Conflict, NotFound
from omoide.interfaces.signature import Kind, Parameter, Signature

if TYPE_CHECKING:
    from omoide.memory import Memory


@dataclass(frozen=True, slots=True)
class Verb:
    """One method of Memory at the interfaces. Names without a value follow from the method's own."""

    method: str  # recall, graph.relate
    http: str = ""  # method and path; without one the verb has no route of its own
    key: str = ""  # the name of a list or a single value in the JSON document
    opens: str = "read"  # read; write: may create the file; search: loads the embedder
    status: int = 200
    http_defaults: tuple[tuple[str, Any], ...] = ()  # where the route's default differs from the method's
    stream: tuple[str, ...] = ()  # the route streams events; the names of what the progress callback is told
    command: str = ""  # where the command has another name
    positional: tuple[str, ...] = ()  # optional parameters that the command takes by position
    view: str = ""  # how people see the document: module.function of interfaces.cli
    action: str = ""  # what runs the command, where calling the method is not enough: module.function
    empty: str = ""  # what the command says when there is no result
    missing: str = ""  # the error when the method returns None
    examples: tuple[str, ...] = ()  # of the command, without `omoide`
    about: str = ""  # where the docstring does not fit an interface

    @property
    def words(self) -> tuple[str, ...]:
        """The command: ("graph", "relate")."""
        name = self.command or self.method.replace(".", " ").rstrip("_").replace("_", "-")
        return tuple(name.split())

    @property
    def reads(self) -> bool:
        """Whether its route changes nothing, so that a read-only token may call it."""
        return self.http.startswith("GET ") or self.method in _READING_POSTS

    @property
    def signature(self) -> Signature:
        return Signature(class_method(self.method))

    @property
    def reader_options(self) -> tuple[Parameter, ...]:
        """Who reads, for verbs without parameters of their own for it: every interface offers them."""
        own = {each.name for each in self.signature.parameters}
        if self.method.startswith(("admin.", "trust.")) or self.method in _WITHOUT_READER:
            return ()
        return tuple(each for each in _READER if each.name not in own)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters at the interfaces: those of the method, and who reads."""
        return (*self.signature.parameters, *self.reader_options)

    def for_reader(self, memory: Memory, arguments: Mapping[str, Any]) -> Memory:
        """The memory as whoever the arguments name may see it."""
        names = ("consent",) if self.method in _AUDIENCE_OF_WHAT_IS_WRITTEN else ("audience", "consent")
        given = {name: arguments[name] for name in names if arguments.get(name) is not None}
        return memory.viewed(**given) if given else memory

    @property
    def description(self) -> str:
        return self.about or self.signature.description

    @property
    def summary(self) -> str:
        """The first sentence, without its full stop."""
        return (self.about or self.signature.summary).split(". ")[0].removesuffix(".")

    def call(self, memory: Memory, arguments: Mapping[str, Any], **more: Any) -> Any:
        """Calls the method with arguments by name; `more` are arguments that no interface offers, such as progress."""
        generic = {each.name for each in self.reader_options}
        memory = self.for_reader(memory, {name: value for name, value in arguments.items() if name in generic})
        given = {name: value for name, value in arguments.items() if name not in generic}
        rest: Sequence[Any] = ()
        own = {each.name for each in self.signature.parameters}
        for each in self.signature.parameters:
            if each.position == "rest":
                rest = given.pop(each.name, ())
            elif each.position == "fields":
                fields = given.pop(each.name, {})
                if taken := sorted(fields.keys() & own):
                    raise Conflict(f"{each.name}: {', '.join(taken)} is a parameter of the verb and not a field")
                given |= fields
        with acting(operation=self.method):
            result = attrgetter(self.method)(memory)(*rest, **given, **_FIXED_ARGUMENTS.get(self.method, {}), **more)
        if result is None and self.missing:
            raise NotFound(self.missing.format(**arguments))
        return result


@cache
def class_method(path: str) -> Callable[..., Any]:
    """The function behind `recall` or `graph.relate`, without a memory at hand."""
    from omoide.memory import memory

    space, _, name = path.rpartition(".")
    owner: Any = getattr(memory, f"{space.capitalize()}Namespace") if space else memory.Memory
    method: Callable[..., Any] = getattr(owner, name)
    return method


_AUDIENCE_OF_WHAT_IS_WRITTEN = ("review.update",)  # `audience` says who may read what is written, not who reads
_WITHOUT_READER = (
    "observe", "observe_many", "remember", "learn", "end", "forget", "flush", "tasks.start", "tasks.record",
)  # fmt: skip
_READER = (
    Parameter(
        "audience",
        Kind("text"),
        "private",
        "Who reads the result: `private`, or `shared` to leave out private memories.",
        "named",
    ),
    Parameter(
        "consent",
        Kind("text", optional=True),
        None,
        "Session for which the user consented to show sensitive memories.",
        "named",
    ),
)
_READING_POSTS = ("recall", "context", "tasks.before", "tasks.lessons")  # POST routes that only read

# A task outlives the command or the request that starts it.
_FIXED_ARGUMENTS: dict[str, dict[str, Any]] = {"tasks.start": {"detached": True}}

# fmt: off
VERBS: tuple[Verb, ...] = (
    # ── flat ────────────────────────────────────────────────────────────────────────────────────────────────
    Verb("observe", "POST /v1/observe", status=201, opens="write", view="view_memories.saved",
         action="actions.observe",
         examples=('observe "Never suggest Docker, I hate it." --session s1',
                   "observe - --role tool:git --outcome success  (reads standard input)",
                   "observe --jsonl chat.jsonl --session s1  (options fill in what a line leaves out)")),
    Verb("observe_many", "POST /v1/observe/many", status=201, key="memories"),
    Verb("remember", "POST /v1/remember", status=201, opens="write", view="view_memories.saved",
         examples=('remember "The app runs on Vercel" --tag vercel',
                   'remember "Short answers" --kind preference --field category=communication --field strength=0.9')),
    Verb("recall", "POST /v1/recall", opens="search", view="view_memories.recalled", action="actions.recall",
         examples=('recall "how do we deploy?" --limit 5',
                   'recall "what did we decide last week?" --kind episode --explain',
                   'recall "how do we deploy?" --why-not 17')),
    Verb("context", "POST /v1/context", opens="search", view="view_memories.markdown", action="actions.context",
         examples=('context "deploy the app like last time" --budget 500 >> prompt.md',)),
    Verb("agenda", "GET /v1/agenda", positional=("since", "until"), view="view_memories.agenda",
         action="actions.agenda",
         examples=("agenda", "agenda 2026-10-01T00:00Z 2026-11-01T00:00Z", "agenda --ics > agenda.ics")),
    Verb("learn", "POST /v1/learn", stream=("session", "turns"), view="view_knowledge.report", action="actions.learn",
         examples=("learn", "learn --session s1")),
    Verb("get", "GET /v1/memories/{id}", view="view_memories.memory", action="actions.get", examples=("get 7",)),
    Verb("list", "GET /v1/memories", key="memories", view="view_memories.listed", empty="no memories match",
         examples=("list --kind fact --limit 50", "list --session s1 --kind episode --order oldest")),
    Verb("correct", "POST /v1/memories/{id}/correct", status=201, view="view_memories.saved",
         examples=("correct 7 \"The app runs on Vercel's pro plan\"",)),
    Verb("forget", "POST /v1/forget", http_defaults=(("preview", True),), positional=("id",),
         view="view_admin.receipt", action="actions.forget",
         examples=("forget 7 --preview", "forget --session s1 --yes")),
    Verb("history", "GET /v1/memories/{id}/history", key="versions", view="view_knowledge.history",
         examples=("history 7", "history Otto")),
    Verb("explain", "GET /v1/memories/{id}/explain", view="view_knowledge.explained", examples=("explain 7",)),
    Verb("stats", "GET /v1/stats", view="view_memories.stats", examples=("stats",)),
    Verb("flush", "POST /v1/flush", key="finished", opens="search", action="actions_admin.flush", examples=("flush",)),
    Verb("sessions", "GET /v1/sessions", key="sessions", view="view_memories.sessions", empty="no sessions yet",
         examples=("sessions --limit 5",)),
    Verb("session", "GET /v1/sessions/{session:path}", view="view_memories.session", examples=("session s1",)),
    Verb("end", "POST /v1/sessions/{session:path}/end", view="view_memories.ended",
         examples=('end s1 --summary "Chose Vercel for the app"',)),
    # ── graph ───────────────────────────────────────────────────────────────────────────────────────────────
    Verb("graph.entity", "PUT /v1/entities/{name:path}", opens="write", view="view_knowledge.profile",
         action="actions.entity",
         examples=("graph entity Otto", 'graph entity Otto --type person --alias "Otto K." --field city=Berlin')),
    Verb("graph.entities", "GET /v1/entities", key="entities", view="view_knowledge.entities",
         empty="no entities yet", examples=("graph entities --limit 5",)),
    Verb("graph.relate", "POST /v1/relations", status=201, opens="write", view="view_knowledge.related",
         examples=('graph relate Otto works_at "Blue Harbour"',)),
    Verb("graph.unrelate", "DELETE /v1/relations", view="view_knowledge.unrelated",
         examples=('graph unrelate Otto works_at "Blue Harbour"',)),
    Verb("graph.relations", "GET /v1/relations", key="relations", view="view_knowledge.relations",
         empty="it has no relations", examples=("graph relations Otto",)),
    Verb("graph.link", "POST /v1/links", status=201, positional=("type",), view="view_knowledge.linked",
         examples=("graph link 7 12 elaborates",)),
    Verb("graph.unlink", "DELETE /v1/links", key="removed", positional=("type",), view="view_knowledge.unlinked",
         examples=("graph unlink 7 12 elaborates",)),
    Verb("graph.links", "GET /v1/memories/{id}/links", key="links", view="view_knowledge.links",
         examples=("graph links 7",)),
    Verb("graph.neighbours", "GET /v1/memories/{id}/neighbours", key="neighbours", view="view_knowledge.neighbours",
         empty="nothing is linked to it; `omoide graph suggest-links ID` proposes links",
         examples=("graph neighbours 7",)),
    Verb("graph.backlinks", "GET /v1/memories/{id}/backlinks", key="backlinks", view="view_knowledge.neighbours",
         empty="nothing links to it", examples=("graph backlinks 7",)),
    Verb("graph.suggest_links", "GET /v1/memories/{id}/suggestions", key="suggestions", opens="search",
         view="view_knowledge.suggestions", action="actions.suggest_links",
         examples=("graph suggest-links 7", "graph suggest-links 7 --accept 3")),
    Verb("graph.merge", "POST /v1/graph/merge", view="view_knowledge.named", examples=('graph merge "Otto K." Otto',)),
    Verb("graph.split", "POST /v1/graph/split", view="view_knowledge.named", examples=('graph split Otto "Otto K."',)),
    Verb("graph.timeline", "GET /v1/timeline", key="timeline", view="view_knowledge.timeline",
         empty="nothing is known about it", examples=("graph timeline Otto",)),
    Verb("graph.add", "POST /v1/graph", opens="write", view="view_knowledge.graph", action="actions.add_to_graph",
         examples=("graph add --entity '{\"name\": \"Otto\", \"observations\": [\"speaks Spanish\"]}'",)),
    Verb("graph.remove", "POST /v1/graph/remove", key="removed", positional=("names",), view="view_knowledge.removed",
         examples=("graph remove Otto", "graph remove --observation 12")),
    Verb("graph.read", "GET /v1/graph", positional=("names",), view="view_knowledge.graph",
         examples=("graph read", "graph read Otto Acme")),
    # ── tasks ───────────────────────────────────────────────────────────────────────────────────────────────
    Verb("tasks.start", "POST /v1/tasks/start", status=201, opens="write", view="view_knowledge.task",
         examples=('tasks start "Add the orders endpoint" --type feature --file src/orders.ts',)),
    Verb("tasks.resume", "GET /v1/tasks/{id}", command="tasks get", view="view_knowledge.trace",
         about="Return a task with its actions and errors.", examples=("tasks get 7",)),
    Verb("tasks.record", "POST /v1/tasks", status=201, opens="write", view="view_knowledge.task",
         examples=('tasks record "Fix the login" success --type bugfix --commit abc123',)),
    Verb("tasks.list", "GET /v1/tasks", key="tasks", view="view_knowledge.tasks", empty="no tasks yet",
         examples=("tasks list --open",)),
    Verb("tasks.before", "POST /v1/tasks/before", opens="search", view="view_memories.markdown",
         action="actions.before_task",
         examples=('tasks before "Add the orders endpoint" --action-type feature --file src/orders.ts',)),
    Verb("tasks.learn", "POST /v1/tasks/learn", view="view_knowledge.report", empty="nothing new to learn from tasks",
         examples=("tasks learn",)),
    Verb("tasks.credit", "GET /v1/tasks/credit", key="credit", view="view_knowledge.credit",
         empty="no finished task used a memory yet", examples=("tasks credit --least-tasks 5",)),
    Verb("tasks.efficiency", "GET /v1/tasks/efficiency", view="view_knowledge.efficiency",
         examples=("tasks efficiency --days 30",)),
    Verb("tasks.lessons", "POST /v1/tasks/lessons", key="lessons", view="view_knowledge.lessons",
         empty="no lesson is bound to that",
         examples=("tasks lessons --tool Edit --path src/routes/todos.ts",
                   'tasks lessons --command "git push --force"')),
    Verb("tasks.bind", "POST /v1/memories/{id}/bindings", status=201, view="view_knowledge.binding",
         examples=('tasks bind 7 --path "src/**/*.ts" --tool Edit',
                   'tasks bind 7 --error "Missing return type annotation"')),
    Verb("tasks.unbind", "DELETE /v1/memories/{id}/bindings", key="removed", view="view_knowledge.unbound",
         examples=("tasks unbind 7",)),
    Verb("tasks.bindings", "GET /v1/bindings", key="bindings", positional=("id",), view="view_knowledge.bindings",
         empty="no lesson is bound to anything", examples=("tasks bindings",)),
    Verb("tasks.checkpoint", "POST /v1/ledgers/{agent}", status=201, opens="write", view="view_knowledge.ledger",
         examples=("tasks checkpoint eng-001 --task task-042 --completed 1 --context '{\"goal\": \"todos\"}'",)),
    Verb("tasks.checkpoints", "GET /v1/ledgers/{agent}/checkpoints", key="checkpoints",
         view="view_knowledge.checkpoints", examples=("tasks checkpoints eng-001",)),
    Verb("tasks.ledger", "GET /v1/ledgers/{agent}", view="view_knowledge.ledger", examples=("tasks ledger eng-001",)),
    Verb("tasks.ledgers", "GET /v1/ledgers", key="ledgers", view="view_knowledge.ledgers",
         empty="no agent has a ledger yet", examples=("tasks ledgers",)),
    Verb("tasks.handoff", "POST /v1/handoffs", status=201, opens="write", positional=("what_was_done",),
         view="view_knowledge.handoff",
         examples=('tasks handoff "Implemented POST /api/todos" --from eng-001 --to "qa-*"',)),
    Verb("tasks.handoffs", "GET /v1/handoffs", key="handoffs", positional=("agent",), view="view_knowledge.handoffs",
         empty="no handoff is pending", examples=("tasks handoffs qa-001",)),
    Verb("tasks.accept_handoff", "POST /v1/handoffs/{id}/accept", view="view_knowledge.handoff",
         examples=("tasks accept-handoff 7 qa-001",)),
    Verb("tasks.skills", "GET /v1/skills", key="skills", opens="search", positional=("goal",),
         view="view_knowledge.skills", empty="no skill found; `omoide tasks import-skills` reads some",
         examples=("tasks skills", 'tasks skills "add an endpoint to the API"')),
    Verb("tasks.skill_markdown", "GET /v1/skills/{id}", key="markdown", view="view_memories.markdown",
         examples=("tasks skill-markdown 7",)),
    Verb("tasks.import_skills", key="skills", opens="write", view="view_knowledge.imported_skills",
         examples=("tasks import-skills skills/",)),
    Verb("tasks.export_skills", key="files", view="view_knowledge.files",
         examples=("tasks export-skills skills/", "tasks export-skills skills/ --id 7")),
    Verb("tasks.outcome", "POST /v1/memories/{id}/outcome", view="view_memories.used",
         examples=("tasks outcome 7 success",)),
    # ── documents ───────────────────────────────────────────────────────────────────────────────────────────
    Verb("documents.save", "PUT /v1/documents/{collection}/{name:path}", opens="write", view="view_memories.saved",
         examples=('documents save recipes rye "Rye bread: sourdough, 12 hours, 230 °C"',)),
    Verb("documents.get", "GET /v1/documents/{collection}/{name:path}", view="view_memories.text",
         missing="there is no document {name!r} in the collection {collection!r}",
         examples=("documents get recipes rye",)),
    Verb("documents.list", "GET /v1/documents/{collection}", key="documents", view="view_memories.documents",
         empty="the collection is empty", examples=("documents list recipes",)),
    # ── narrative ───────────────────────────────────────────────────────────────────────────────────────────
    Verb("narrative.write", "POST /v1/narratives", status=201, key="narrative", positional=("text",),
         view="view_memories.narrative", empty="nothing was said since the last narrative",
         examples=('narrative write "Chose Vercel; the deploy waits for Otto" --topic deploy',
                   "narrative write --session s1")),
    Verb("narrative.get", "GET /v1/memories/{id}/narrative", key="passage", view="view_memories.passage",
         empty="it belongs to no narrative", examples=("narrative get 7",)),
    Verb("narrative.list", "GET /v1/narratives", key="narratives", view="view_memories.narratives",
         empty="no narratives yet; they are written when a session ends, or with `omoide narrative write`",
         examples=("narrative list --topic deploy",)),
    Verb("narrative.recap", "GET /v1/narratives/recap", view="view_memories.text", examples=("narrative recap",)),
    Verb("narrative.export_continuity", "POST /v1/narratives/continuity/export", key="page", opens="search",
         view="view_admin.continuity", action="actions.export_continuity",
         examples=('narrative export-continuity CONTINUITY.md --goal "migrate billing"',)),
    Verb("narrative.import_continuity", "POST /v1/narratives/continuity/import", key="memories", opens="write",
         view="view_memories.several", action="actions.import_continuity", empty="the page holds nothing new",
         examples=("narrative import-continuity CONTINUITY.md",)),
    # ── review ──────────────────────────────────────────────────────────────────────────────────────────────
    Verb("review.confirm", "POST /v1/memories/{id}/confirm", view="view_memories.saved",
         examples=("review confirm 7",)),
    Verb("review.update", "PATCH /v1/memories/{id}", positional=("text",), view="view_memories.saved",
         examples=("review update 7 --tag vercel --tag billing --importance 8",)),
    Verb("review.reinforce", "POST /v1/memories/{id}/reinforce", view="view_memories.saved",
         examples=("review reinforce 7",)),
    Verb("review.demote", "POST /v1/memories/{id}/demote", view="view_memories.saved", examples=("review demote 7",)),
    Verb("review.uncertain", "GET /v1/review/uncertain", key="uncertain", view="view_knowledge.uncertain",
         empty="no memory is uncertain", examples=("review uncertain --below 0.4",)),
    Verb("review.contradictions", "GET /v1/review/contradictions", key="contradictions",
         view="view_knowledge.contradictions", empty="no memories contradict each other",
         examples=("review contradictions",)),
    Verb("review.resolve", "POST /v1/review/resolve", view="view_memories.saved", examples=("review resolve 12 7",)),
    Verb("review.proposals", "GET /v1/review/proposals", key="proposals", view="view_knowledge.proposals",
         empty="no proposal waits", examples=("review proposals",)),
    Verb("review.accept", "POST /v1/review/proposals/{proposal}/accept", view="view_memories.saved",
         examples=("review accept 3",)),
    Verb("review.refuse", "POST /v1/review/proposals/{proposal}/refuse", view="view_knowledge.decided",
         examples=("review refuse 3",)),
    # ── trust ───────────────────────────────────────────────────────────────────────────────────────────────
    Verb("trust.grant_consent", "POST /v1/trust/consents", status=201, view="view_admin.consent",
         examples=('trust grant-consent monday "Otto asked about his diet" --hours 2',)),
    Verb("trust.revoke_consent", "DELETE /v1/trust/consents/{session}", key="consents", view="view_admin.consents",
         examples=("trust revoke-consent monday",)),
    Verb("trust.consents", "GET /v1/trust/consents", key="consents", view="view_admin.consents",
         empty="no consent was granted", examples=("trust consents",)),
    Verb("trust.audit", "GET /v1/trust/audit", key="audit", view="view_admin.audit", empty="nothing was changed yet",
         examples=("trust audit --limit 50",)),
    # ── admin ───────────────────────────────────────────────────────────────────────────────────────────────
    Verb("admin.maintain", "POST /v1/admin/maintain", stream=("job", "steps"), opens="search",
         view="view_admin.maintenance", action="actions_admin.maintain",
         examples=("admin maintain --dry-run", "admin maintain --job learn --job backup")),
    Verb("admin.jobs", "GET /v1/admin/jobs", key="jobs", view="view_admin.jobs", examples=("admin jobs",)),
    Verb("admin.last_maintenance", "GET /v1/admin/last-maintenance", key="maintenance",
         view="view_admin.last_maintenance", empty="maintenance has not run yet",
         examples=("admin last-maintenance",)),
    Verb("admin.nights", "GET /v1/admin/nights", key="nights", view="view_admin.nights",
         empty="maintenance has not run yet", examples=("admin nights",)),
    Verb("admin.undo", "POST /v1/admin/undo", positional=("night",), view="view_admin.undone",
         examples=("admin undo", "admin undo 12")),
    Verb("admin.backup", view="view_admin.backup", action="actions_admin.backup",
         examples=("admin backup ~/backups/memory.db",)),
    Verb("admin.export", view="view_admin.exported", action="actions_admin.export",
         examples=("admin export memory.jsonl",)),
    Verb("admin.import_", opens="write", view="view_admin.imported", action="actions_admin.import_",
         examples=("admin import memory.jsonl",)),
    Verb("admin.import_from", opens="write", positional=("format",), view="view_admin.taken",
         action="actions_admin.import_from", examples=("admin import-from conversations.json --dry-run",)),
    Verb("admin.export_markdown", view="view_admin.pages", action="actions_admin.export",
         examples=("admin export-markdown pages",)),
    Verb("admin.export_sqlite", view="view_admin.exported", examples=("admin export-sqlite plain.db",)),
    Verb("admin.import_loki", opens="write", view="view_admin.loki", action="actions_admin.import_loki",
         examples=("admin import-loki .loki/memory",)),
    Verb("admin.export_loki", view="view_admin.loki", examples=("admin export-loki .loki/memory",)),
    Verb("admin.doctor", "POST /v1/admin/doctor", view="view_admin.findings", examples=("admin doctor --repair",)),
    Verb("admin.redact", "POST /v1/admin/redact", view="view_admin.redacted",
         examples=("admin redact --dry-run", "admin redact")),
    Verb("admin.archive", "POST /v1/memories/{id}/archive", view="view_memories.saved", examples=("admin archive 7",)),
    Verb("admin.unarchive", "DELETE /v1/memories/{id}/archive", view="view_memories.saved",
         examples=("admin unarchive 7",)),
    Verb("admin.receipts", "GET /v1/admin/receipts", key="receipts", view="view_admin.receipts",
         examples=("admin receipts",)),
    Verb("admin.id_states", "GET /v1/admin/id-states", view="view_memories.fields", examples=("admin id-states",)),
    Verb("admin.pending_embeddings", "GET /v1/admin/pending-embeddings", key="pending_embeddings", opens="search",
         examples=("admin pending-embeddings",)),
    Verb("admin.preload", "POST /v1/admin/preload", key="preloaded", opens="search"),
    Verb("admin.live_sessions", "GET /v1/admin/live-sessions", key="live_sessions", empty="no session is live",
         examples=("admin live-sessions",)),
    Verb("admin.live_state", "GET /v1/admin/live-state", positional=("session",), view="view_admin.live_state",
         examples=("admin live-state", "admin live-state s1 --json")),
)
# fmt: on

BY_METHOD = {each.method: each for each in VERBS}
