"""Synthetic task families: each is one kind of work with one mistake, in different wordings.

All families draw component names ({x}) from one pool and share verbs, files and symptoms; they differ in what the work
is about. `asked` are wordings that no trace uses.
"""

from __future__ import annotations

from dataclasses import dataclass

COMPONENTS = (
    "orders users invoices todos payments reports sessions products customers messages carts profiles shipments "
    "accounts tickets reviews"
).split()


@dataclass(frozen=True, slots=True)
class Family:
    """One kind of task: its wordings, files, errors and fixes."""

    name: str
    goals: tuple[str, ...]
    asked: tuple[str, ...]
    files: tuple[str, ...]
    error: str
    messages: tuple[str, ...]
    fixes: tuple[str, ...]
    actions: tuple[str, ...]
    type: str


def _family(name: str, type: str, actions: str, **said: str) -> Family:
    parts = {key: tuple(line.strip() for line in text.strip().splitlines()) for key, text in said.items()}
    return Family(
        name=name,
        type=type,
        actions=tuple(actions.split()),
        goals=parts["goals"],
        asked=parts["asked"],
        files=parts["files"],
        error=parts["error"][0],
        messages=parts["messages"],
        fixes=parts["fixes"],
    )


FAMILIES = (
    _family(
        "return-type",
        "feature",
        "read_file write_file run_test edit_file run_test",
        goals="""Implement POST /api/{x} endpoint
            Add a route handler that creates {x}
            Write the Express endpoint for new {x}
            Build the create route of the {x} API
            Expose an HTTP endpoint to post {x}""",
        asked="""Add an Express route handler to post {x}
            Implement the HTTP endpoint which creates {x}
            New POST route for {x} in the API""",
        files="""src/routes/{x}.ts
            src/routes/index.ts
            openapi.yaml""",
        error="TypeScript compilation",
        messages="""Missing return type annotation
            error TS7030: the route handler has no explicit return type
            Function lacks a return type annotation in strict mode""",
        fixes="""Added explicit :void to the route handler
            Annotated the handler's return type as void
            Put : void on the handler signature""",
    ),
    _family(
        "validation",
        "feature",
        "read_file edit_file run_test edit_file run_test",
        goals="""Validate the request body of the {x} endpoint
            Add input validation to POST /api/{x}
            Reject malformed {x} in the route
            Check incoming {x} payloads against the schema
            Schema validation for the {x} API""",
        asked="""Validate incoming payloads of the {x} route
            Input validation against the schema for {x}
            Reject malformed request bodies on /api/{x}""",
        files="""src/routes/{x}.ts
            src/schemas/{x}.json
            openapi.yaml""",
        error="ValidationError",
        messages="""body must NOT have additional properties
            unknown property was accepted: additionalProperties is not set
            payload with extra properties passed the schema""",
        fixes="""Set additionalProperties to false in the schema
            Forbade additional properties in the JSON schema
            additionalProperties: false on every object""",
    ),
    _family(
        "pagination",
        "feature",
        "read_file edit_file run_test",
        goals="""Paginate the list of {x}
            Add page and limit parameters to GET /api/{x}
            Return {x} in pages of twenty
            Cursor pagination for the {x} listing
            Split the {x} list endpoint into pages""",
        asked="""Return the {x} listing page by page
            Add pagination with a limit to the {x} list
            Pages for GET /api/{x}""",
        files="""src/routes/{x}.ts
            src/db/{x}.ts""",
        error="AssertionError",
        messages="""the same row appears on page one and page two
            duplicate rows between pages
            rows are repeated across pages""",
        fixes="""Ordered by id so that pages are stable
            Added a unique tie-breaker to ORDER BY
            Sort by created_at and id""",
    ),
    _family(
        "index",
        "performance",
        "profile read_file run_migration run_benchmark",
        goals="""Speed up the slow query over {x}
            The {x} lookup takes seconds, make it fast
            Optimise the database query for {x}
            Find out why selecting {x} is slow
            Improve query performance on the {x} table""",
        asked="""Make the slow {x} database query faster
            The {x} table lookup is slow, optimise it
            Query performance over {x}""",
        files="""src/db/{x}.sql
            migrations/0007_{x}.sql""",
        error="Timeout",
        messages="""sequential scan over the whole table
            EXPLAIN shows a full table scan
            the planner scans every row of the table""",
        fixes="""Created an index on the filtered column
            Added a composite index for the WHERE clause
            CREATE INDEX on the foreign key""",
    ),
    _family(
        "migration-lock",
        "migration",
        "write_file run_migration rollback run_migration",
        goals="""Add a column to the {x} table
            Migrate the {x} schema in production
            Write a migration that alters {x}
            Roll out a new not-null column for {x}
            Change the {x} table without downtime""",
        asked="""Alter the {x} table with a migration, no downtime
            New column in the {x} table in production
            Production schema migration of {x}""",
        files="""migrations/0012_{x}.sql
            src/db/schema.sql""",
        error="LockTimeout",
        messages="""ALTER TABLE waited for an exclusive lock and blocked writes
            migration held the table lock for minutes
            could not obtain lock on relation""",
        fixes="""Set lock_timeout and backfilled in batches
            Added the column nullable first, backfilled, then set NOT NULL
            Split the migration into small batches""",
    ),
    _family(
        "flaky-test",
        "bugfix",
        "run_test read_file edit_file run_test run_test",
        goals="""Fix the flaky test of {x}
            The {x} test fails sometimes in CI
            Make the intermittent {x} test reliable
            Stop the {x} suite from failing at random
            Investigate why the {x} test is unstable""",
        asked="""The {x} test is flaky in CI
            Intermittent failure of the {x} suite
            Make the unstable {x} test reliable""",
        files="""tests/{x}.test.ts
            tests/setup.ts""",
        error="TestFailure",
        messages="""expected 3 but received 2, passes on retry
            assertion depends on the wall clock
            timing dependent assertion failed""",
        fixes="""Replaced sleeping by a fake clock
            Injected the clock instead of reading the wall time
            Used fake timers in the test""",
    ),
    _family(
        "docker-cache",
        "ci",
        "read_file edit_file run_build run_build",
        goals="""Make the Docker image of {x} build faster
            Docker build for {x} takes ten minutes
            Shrink build time of the {x} container
            Cache dependencies in the {x} Dockerfile
            Speed up the container build of {x}""",
        asked="""The {x} Docker image takes too long to build
            Faster container builds for {x}
            Cache the dependencies in the Docker build of {x}""",
        files="""Dockerfile
            services/{x}/Dockerfile
            .dockerignore""",
        error="SlowBuild",
        messages="""dependencies are installed again at every build
            layer cache is invalidated by COPY . .
            npm install runs although package.json did not change""",
        fixes="""Copied the lock file and installed before copying the source
            Moved COPY package.json above the source copy
            Installed dependencies in an earlier layer""",
    ),
    _family(
        "env-secret",
        "ci",
        "read_file edit_file run_deploy edit_file run_deploy",
        goals="""Deploy {x} to staging
            Roll out the {x} service
            Ship the new {x} release to the cluster
            Release {x} to the staging environment
            Push the {x} deployment out""",
        asked="""Deploy the {x} service to the cluster
            Roll out a {x} release on staging
            Ship {x} to the environment""",
        files="""deploy/{x}.yaml
            .github/workflows/deploy.yml""",
        error="CrashLoopBackOff",
        messages="""DATABASE_URL is not defined
            required environment variable DATABASE_URL is missing
            container exits: DATABASE_URL unset""",
        fixes="""Added the secret to the deployment manifest
            Mounted the database secret as an environment variable
            Referenced the secret in the manifest's env""",
    ),
    _family(
        "timezone",
        "bugfix",
        "read_file write_file run_test edit_file run_test",
        goals="""Fix the wrong dates in the {x} report
            {x} are shown one day early
            Dates of {x} shift by a day
            Correct the date arithmetic of {x}
            The {x} calendar is off by one day""",
        asked="""Wrong dates are shown for {x}, one day early
            Date of {x} is off by a day
            Fix date arithmetic in {x}""",
        files="""src/reports/{x}.ts
            src/dates.ts""",
        error="AssertionError",
        messages="""expected 2026-03-01 but got 2026-02-28
            local midnight was stored as UTC
            dates are parsed in the local time zone""",
        fixes="""Stored instants in UTC and formatted in the user's zone
            Parsed the dates as UTC
            Used zone-aware datetimes throughout""",
    ),
    _family(
        "money",
        "bugfix",
        "read_file run_test edit_file run_test",
        goals="""Totals of {x} are off by a cent
            Fix rounding in the {x} total
            The sum of {x} does not match the bill
            Correct money calculations for {x}
            {x} amounts are rounded wrongly""",
        asked="""The total of {x} is wrong by one cent
            Rounding of money amounts in {x}
            Sum of {x} does not add up""",
        files="""src/money.ts
            src/reports/{x}.ts""",
        error="AssertionError",
        messages="""expected 10.30 but got 10.299999999999999
            floating point error in the sum
            0.1 + 0.2 is not 0.3""",
        fixes="""Kept amounts as integer cents
            Used decimals instead of floats
            Replaced floating point by integer cents""",
    ),
    _family(
        "race",
        "bugfix",
        "read_file write_file run_test edit_file run_test",
        goals="""Two workers process the same {x}
            Prevent double handling of {x} by the queue
            {x} are sometimes processed twice
            Make the {x} worker safe for concurrency
            Duplicate {x} jobs under load""",
        asked="""{x} jobs are handled twice by concurrent workers
            Double processing of {x} in the queue
            Make two {x} workers not take the same job""",
        files="""src/workers/{x}.ts
            src/queue.ts""",
        error="IntegrityError",
        messages="""duplicate key value violates unique constraint
            the job was claimed by two workers at once
            row inserted twice by concurrent workers""",
        fixes="""Claimed jobs with SELECT FOR UPDATE SKIP LOCKED
            Took a row lock before processing
            Claimed the job in the same transaction""",
    ),
    _family(
        "idempotency",
        "feature",
        "read_file edit_file run_test",
        goals="""Handle repeated webhooks for {x}
            Webhook deliveries of {x} arrive more than once
            Make the {x} webhook idempotent
            Ignore duplicate callbacks about {x}
            PeerProcess each {x} webhook only once""",
        asked="""The same {x} webhook is delivered twice
            Idempotent handling of {x} callbacks
            Ignore repeated webhook deliveries for {x}""",
        files="""src/webhooks/{x}.ts
            src/db/events.ts""",
        error="DuplicateEvent",
        messages="""the same event id was handled twice
            webhook retried and the customer was charged again
            event delivered again after a timeout""",
        fixes="""Stored the event id and skipped known ones
            Kept a table of handled event ids
            Deduplicated by the delivery's id""",
    ),
    _family(
        "auth-expiry",
        "bugfix",
        "read_file run_test edit_file run_test",
        goals="""People are logged out while editing {x}
            Fix the login that expires during {x}
            Users lose their login in the {x} page
            Refresh the access token for {x}
            401 after an hour on the {x} screen""",
        asked="""Login expires while someone edits {x}
            Users get 401 on the {x} page after an hour
            Refresh expired access tokens in {x}""",
        files="""src/auth/token.ts
            src/pages/{x}.tsx""",
        error="Unauthorized",
        messages="""jwt expired
            access token has expired, no refresh attempted
            401: token is no longer valid""",
        fixes="""Refreshed the token before it expires
            Retried once with a refreshed token
            Added a silent refresh on 401""",
    ),
    _family(
        "cors",
        "bugfix",
        "read_file edit_file run_test",
        goals="""The browser blocks requests to the {x} API
            Let the front end call /api/{x} from another origin
            Fix cross-origin calls to {x}
            Requests for {x} fail in the browser only
            Allow the web app to fetch {x}""",
        asked="""Cross-origin browser requests to {x} are blocked
            The web app cannot fetch /api/{x} from its origin
            Browser refuses calls to the {x} API""",
        files="""src/server.ts
            src/middleware/headers.ts""",
        error="CORS",
        messages="""No 'Access-Control-Allow-Origin' header is present
            preflight response has no allow-origin header
            blocked by CORS policy""",
        fixes="""Allowed the web origin in the CORS middleware
            Answered the OPTIONS preflight with the allowed origin
            Added the origin to the CORS allow list""",
    ),
    _family(
        "memory-leak",
        "performance",
        "profile read_file edit_file run_benchmark",
        goals="""The {x} service runs out of memory
            Memory of the {x} process grows for days
            Find the leak in the {x} worker
            {x} is killed by the kernel for its memory
            Heap usage of {x} keeps growing""",
        asked="""Memory leak in the {x} service
            The {x} process grows until it is killed
            Growing heap of the {x} worker""",
        files="""src/workers/{x}.ts
            src/cache.ts""",
        error="OutOfMemory",
        messages="""heap limit reached, allocation failed
            listeners are added and never removed
            cache grows without bound""",
        fixes="""Bounded the cache with an LRU
            Removed the listeners when the socket closes
            Gave the cache a maximum size""",
    ),
    _family(
        "n-plus-one",
        "performance",
        "profile read_file edit_file run_benchmark",
        goals="""Rendering the {x} page sends hundreds of queries
            Too many database calls when listing {x}
            Reduce the number of queries for {x}
            The ORM loads every {x} row by itself
            Batch the loading of {x} with their owners""",
        asked="""Listing {x} fires hundreds of database queries
            Batch loading of {x} instead of a query per row
            Too many ORM calls for {x}""",
        files="""src/models/{x}.py
            src/views/{x}.py""",
        error="TooManyQueries",
        messages="""412 queries for one request
            one query per row was issued
            lazy loading inside the loop""",
        fixes="""Prefetched the relation with a join
            Used eager loading for the owners
            Loaded all owners in one IN query""",
    ),
    _family(
        "unicode",
        "bugfix",
        "read_file run_test edit_file run_test",
        goals="""Import {x} from a CSV file
            Umlauts are broken in imported {x}
            Load the {x} spreadsheet export
            Read {x} from the partner's CSV
            Parse the uploaded {x} file""",
        asked="""Parse an uploaded CSV of {x} with umlauts
            Import the {x} CSV export of the partner
            Broken characters when loading {x} from a file""",
        files="""src/import/{x}.py
            tests/data/{x}.csv""",
        error="UnicodeDecodeError",
        messages="""'utf-8' codec can't decode byte 0xfc
            invalid start byte: the file is latin-1
            a byte order mark stands before the first header""",
        fixes="""Opened the file with utf-8-sig and fell back to latin-1
            Detected the encoding before parsing
            Decoded with the declared encoding""",
    ),
    _family(
        "types-stub",
        "chore",
        "run_check edit_file run_check",
        goals="""Turn on strict type checking for {x}
            Make mypy pass on the {x} module
            Annotate the {x} package
            Fix the type errors in {x}
            Add type hints to {x}""",
        asked="""Strict mypy for the {x} package
            Type hints and annotations in the {x} module
            Make type checking pass in {x}""",
        files="""src/{x}/__init__.py
            pyproject.toml""",
        error="mypy",
        messages="""Library stubs not installed for requests
            module is installed, but missing library stubs or py.typed marker
            Skipping analyzing: missing stubs""",
        fixes="""Installed the types- package of the library
            Added the stub package to the dev dependencies
            Put types-requests into the development extra""",
    ),
    _family(
        "lint-ci",
        "chore",
        "run_check edit_file run_check",
        goals="""The lint job fails for {x}
            Make the formatter agree with CI on {x}
            Fix style errors in {x} before merging
            CI complains about formatting of {x}
            Get the {x} branch through the linter""",
        asked="""Linter fails in CI on the {x} branch
            Formatting of {x} is rejected by the lint job
            Style check of {x} must pass before merging""",
        files="""src/{x}/views.py
            .pre-commit-config.yaml""",
        error="LintError",
        messages="""would reformat 3 files
            local formatter version differs from the one in CI
            import order is wrong after formatting""",
        fixes="""Pinned the formatter version in pre-commit
            Used the same formatter version as CI
            Ran the pinned formatter over the tree""",
    ),
    _family(
        "dependency",
        "chore",
        "read_file run_install edit_file run_test",
        goals="""Upgrade the framework under {x}
            Bump dependencies of the {x} service
            Move {x} to the new major version
            Update outdated packages of {x}
            Raise library versions in {x}""",
        asked="""Upgrade outdated libraries of the {x} service
            Bump the framework of {x} to a new major version
            Update packages in {x}""",
        files="""package.json
            package-lock.json
            services/{x}/package.json""",
        error="ERESOLVE",
        messages="""could not resolve peer dependency
            conflicting peer dependency found while resolving
            unable to resolve dependency tree""",
        fixes="""Upgraded the peer package in the same step
            Raised both packages together
            Bumped the peer dependency first""",
    ),
    _family(
        "rate-limit",
        "feature",
        "read_file edit_file run_test edit_file run_test",
        goals="""Fetch all {x} from the partner's service
            Synchronise {x} with the external API
            Nightly download of {x} from the vendor
            Crawl {x} from the third-party API
            Pull remote {x} into our database""",
        asked="""Download {x} from the vendor's API every night
            Synchronise remote {x} of the third party
            Pull all {x} from the external service""",
        files="""src/sync/{x}.py
            src/http.py""",
        error="HTTPError",
        messages="""429 Too Many Requests
            rate limit exceeded, retry after 30 seconds
            the vendor throttles more than ten calls a second""",
        fixes="""Waited as Retry-After says, with exponential backoff
            Backed off exponentially on 429
            Throttled the client and honoured Retry-After""",
    ),
    _family(
        "upload",
        "feature",
        "read_file edit_file run_test",
        goals="""Let users attach pictures to {x}
            Add file upload to the {x} form
            Store images of {x} in the bucket
            Accept attachments for {x}
            Upload documents together with {x}""",
        asked="""Users upload pictures for {x}
            Attachments of {x} go to the bucket
            File upload in the {x} form""",
        files="""src/routes/{x}.ts
            src/storage.ts""",
        error="PayloadTooLarge",
        messages="""413: request entity too large
            proxy rejects bodies over one megabyte
            body limit exceeded by the image""",
        fixes="""Uploaded straight to the bucket with a signed URL
            Raised the body limit in the proxy
            Streamed the file by a presigned URL""",
    ),
    _family(
        "search",
        "feature",
        "read_file write_file run_test",
        goals="""Full-text search over {x}
            Let people find {x} by words
            Search box for {x}
            Build the keyword search of {x}
            Find {x} whose text holds a word""",
        asked="""Keyword search box over {x}
            Find {x} by the words in their text
            Full-text search for {x}""",
        files="""src/search/{x}.py
            migrations/0020_{x}_search.sql""",
        error="OperationalError",
        messages="""fts5: syntax error near "-"
            malformed MATCH expression
            a quote in the question breaks the full-text query""",
        fixes="""Quoted every term before MATCH
            Escaped the user's words as string literals
            Wrapped each word in double quotes""",
    ),
    _family(
        "mail",
        "feature",
        "read_file write_file run_test edit_file run_test",
        goals="""Send a confirmation mail for {x}
            Notify customers by e-mail about {x}
            E-mail the receipt of {x}
            Mail a summary of {x} every Monday
            Let the app send mails about {x}""",
        asked="""Send customers an e-mail when {x} change
            Confirmation mails for {x}
            Mail the weekly summary of {x}""",
        files="""src/mail/{x}.py
            templates/{x}.html""",
        error="SMTPError",
        messages="""550 rejected: SPF check failed
            the mail lands in the spam folder
            sender domain is not authenticated""",
        fixes="""Sent through the authenticated relay with DKIM
            Added the relay to the SPF record
            Signed the mails with DKIM""",
    ),
)

NOISE = tuple(
    line.strip()
    for line in """
    Rename the constants of {x}
    Remove dead code from {x}
    Translate the {x} page into German
    Draw the architecture of {x}
    Write release notes about {x}
    Answer the question about {x} in the forum
    Move the {x} folder
    Explain to a colleague how {x} are stored
    Choose a colour for the {x} icon
    Count how many {x} there are
    Compare two libraries for {x}
    Delete old branches of {x}
    Prepare the demo of {x}
    Estimate the effort for {x}
    Ask legal about {x}
    Draft a survey among users of {x}
    Copy {x} to the new laptop
    Rewrite the README of {x}
    Add a favicon beside {x}
    Sort the {x} constants by name
    Measure the coverage of {x}
    Archive last year's {x}
    Plan the workshop on {x}
    Check the licence of the {x} package
    Turn off the old {x} server
    Record a screencast of {x}
    Interview three customers on {x}
    Print labels for {x}
    Write a poem on {x}
    Make a backup of {x} by hand
    """.strip().splitlines()
)

# Unrelated goals, for which the memory should return nothing.
FOREIGN = (
    "Bake sourdough bread for the party",
    "Plan a hiking trip in Norway",
    "Teach my daughter to ride a bicycle",
    "Paint the bedroom wall blue",
    "Choose a birthday present for Anna",
    "Practice the violin concerto",
    "Water the tomatoes",
    "Book a table at the sushi place",
    "Learn Portuguese verbs",
    "Train for a half marathon",
)
