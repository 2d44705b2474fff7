"""Programs, languages, services and companies that people name, often without a capital."""

from __future__ import annotations

from .words import names

TOOLS = names("""
    npm, pnpm, Yarn, Bun, Deno, Node, Node.js, pip, uv, Poetry, Conda, Cargo, Homebrew, brew, Nix, apt,
    Docker, Podman, Kubernetes, K8s, Helm, Terraform, Ansible, Pulumi, Vagrant, Jenkins, CircleCI, GitHub
    Actions, GitLab CI, Travis, ArgoCD, Vercel, Netlify, Heroku, Fly.io, Render, Railway, Cloudflare,
    DigitalOcean, AWS, Azure, GCP, Google Cloud, Lambda, S3, EC2, Firebase, Supabase, PlanetScale, Neon,
    Postgres, PostgreSQL, MySQL, MariaDB, SQLite, MongoDB, Redis, DynamoDB, Cassandra, Elasticsearch,
    ClickHouse, DuckDB, Snowflake, BigQuery, Kafka, RabbitMQ, NATS, Celery, Airflow, dbt, Spark, Pandas,
    Polars, NumPy, PyTorch, TensorFlow, Keras, JAX, scikit-learn, Jupyter, Python, Ruby, Rails, Ruby on Rails,
    Go, Golang, Rust, Java, Kotlin, Scala, Swift, C, C++, C#, PHP, Laravel, Perl, Haskell, Elixir, Phoenix,
    Erlang, Clojure, OCaml, Zig, Lua, Julia, R, JavaScript, TypeScript, React, React Native, Vue, Svelte,
    SvelteKit, Angular, Next.js, Nuxt, Remix, Astro, Solid, jQuery, HTMX, Tailwind, Tailwind CSS, Bootstrap,
    Sass, Vite, Webpack, Rollup, esbuild, Parcel, Turborepo, Babel, ESLint, Prettier, Biome, Ruff, Black,
    mypy, Pyright, pytest, unittest, Jest, Vitest, Mocha, Cypress, Playwright, Selenium, Storybook, Django,
    Flask, FastAPI, Starlette, Express, NestJS, Spring, Spring Boot, GraphQL, gRPC, Prisma, SQLAlchemy,
    Drizzle, Git, GitHub, GitLab, Bitbucket, Gitea, SVN, Mercurial, Vim, Neovim, Emacs, VS Code, VSCode,
    Visual Studio Code, Visual Studio, Sublime, Sublime Text, IntelliJ, PyCharm, WebStorm, Xcode, Android
    Studio, Zed, Cursor, Helix, Nano, tmux, zsh, bash, fish, PowerShell, iTerm, Alacritty, Kitty, Ghostty,
    Linux, Ubuntu, Debian, Fedora, Arch, Arch Linux, NixOS, Windows, macOS, iOS, Android, Chrome, Firefox,
    Safari, Brave, Slack, Discord, Teams, Microsoft Teams, Zoom, Telegram, WhatsApp, Signal, Gmail, Outlook,
    Thunderbird, Notion, Obsidian, Evernote, Roam, Logseq, OneNote, Trello, Jira, Linear, Asana, ClickUp,
    Confluence, Basecamp, Todoist, Airtable, Excel, Google Sheets, Google Docs, Word, PowerPoint, Figma,
    Sketch, Photoshop, Illustrator, InDesign, Lightroom, Premiere, DaVinci Resolve, Final Cut, Blender, Canva,
    Ableton, Logic Pro, GIMP, Inkscape, Unity, Unreal, Godot, ChatGPT, Claude, Copilot, Gemini, Ollama,
    LangChain, WordPress, Shopify, Webflow, Squarespace, Stripe, PayPal, Sentry, Datadog, Grafana, Prometheus,
    nginx, Apache, Caddy, Traefik, systemd, Tailscale, WireGuard, 1Password, Bitwarden, Kindle, Spotify,
    YouTube, Netflix, Strava, MyFitnessPal, Duolingo, Anki, Fitbit, Garmin, Alexa, Siri, Uber
""")
ORGANIZATIONS = names("""
    Google, Amazon, Apple, Microsoft, Meta, Facebook, Netflix, Spotify, Tesla, SpaceX, NASA, ESA, CERN, IBM,
    Intel, Nvidia, AMD, Oracle, SAP, Siemens, Bosch, BMW, Audi, Volkswagen, Mercedes, Porsche, Toyota, Honda,
    Sony, Samsung, LG, Huawei, Adobe, Salesforce, Stripe, Shopify, Uber, Airbnb, Twitter, LinkedIn, Mozilla,
    OpenAI, Anthropic, DeepMind, Deloitte, KPMG, PwC, EY, Accenture, McKinsey, Goldman Sachs, JPMorgan,
    Zalando, Ikea, Nestlé, Nike, Adidas, Walmart, Target, Starbucks, McDonald's, Costco, Harvard, Stanford,
    MIT, Yale, Princeton, Oxford University, ETH Zurich, Telefónica, Petrobras, the UN, the WHO, the Red
    Cross, BBC, CNN
""")
