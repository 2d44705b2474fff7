"""How the lists are written: names between commas, looked up without regard to case."""

from __future__ import annotations

from omoide.domain.entity import name_key


def names(text: str) -> dict[str, str]:
    """Lower case → the name as it is written."""
    parts = (" ".join(part.split()) for part in text.split(","))
    return {part.lower(): part for part in parts if part}


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Common given names that are no everyday words: enough to know one that is written small, or that a city bears too.


GIVEN = words("""
    aaron abigail adam adelaide adrian agnes aiden aisha alan albert alejandro alessandro alex alexander alexandra
    alfred ali alice alicia alina alison allison alma amanda amelia amir amy ana anders andre andrea andreas andrew
    andrzej angela anita anja ann anna anne annika anthony anton antonio ariana arjun arthur astrid audrey austin
    ayesha barbara beatrice ben benjamin bernd beth bianca bjorn bob boris brandon brenda brian bruno caitlin camila
    carl carla carlos carmen carol caroline catherine cecilia charles charlie charlotte chen chloe chris christian
    christina christine christopher clara claudia colin connor craig cristina cynthia daniel daniela danielle dave
    david deborah denise dennis derek diana diego dimitri dmitri dominik donna doris dorothy doug dylan eduardo edward
    elena eleanor elias elif elijah elizabeth ella ellen emil emilia emily emma enrique eric erica erik erika esther
    ethan eugene eva evelyn fabian fatima felix fernando finn fiona florian frances francesca francesco francisco
    frank franz fred frederick frida gabriel gabriela gareth gary george georgia gerald gerd gina giovanni giulia
    gloria gonzalo greg gregory greta guido gustav hanna hannah hans harriet harry hassan heather heidi helen helena
    helga henrik henry hiroshi holger hugo ian ibrahim ignacio igor ines ingrid irene isaac isabel isabella ivan jack
    jacob jake james jamie jan jane janet jason javier jeff jennifer jenny jeremy jessica jim joan joanna joe joel
    johan johanna john jonas jonathan jordan jorge jose joseph joshua juan judith julia julian julie jürgen karen
    karin karl katarina kate katherine kathryn katie kayla keith kelly kenji kevin kim klaus kofi kristen kristina
    kyle lara lars laura lauren leah lena leo leon leonardo lisa liam lina linda lindsay logan lorenzo louis louise
    lucas lucia lucy luis luka lukas luke maarten madison magda manuel marco marcus margaret maria mariana marie
    marina mario marta martha martin martina mary mateo mathilde matt matteo matthew matthias maya megan mehmet melanie
    melissa mia michael michelle miguel mike mila milan mohamed mohammed monica monika moritz nadia nancy naomi
    natalia natalie nathan neil nicholas nick nicolas nicole niklas nikolai nina noah noor nora oleg oliver olivia
    omar oscar otto pablo pamela patricia patrick paul paula pavel pedro peggy peter petra philip phillip pierre piotr
    priya rachel rafael raj ralf ramon rebecca renate ricardo richard rita robert roberto roger roland ronald rosa
    rosie ruth ryan sabine sally sam samantha samuel sandra sara sarah sasha sean sebastian sergio shannon sharon
    shirley simon simone sofia sophia sophie stefan stefanie stella stephan stephanie stephen steve steven stuart
    susan susanne sven sydney sylvia tamara tanja tanya tara teresa thea theo theodore theresa thomas tim timothy
    tina tobias todd tom tommy tony tracy tyler ulrich ursula valentina valeria vanessa vera veronica victor victoria
    viktor vincent vladimir walter wanda wendy werner wilhelm william wolfgang xavier yara yasmin yuki yusuf yvonne
    zach zachary zara zoe
""")


# Verbs that begin an instruction or a step.


INSTRUCTIONS = words("""
    add address adopt answer append apply archive ask assume attach avoid back backup be begin book bring
    build call cc check choose cite clean close commit compare compile confirm consider convert copy create
    deploy describe double-check draft end enable ensure escape explain export fix follow force-push format
    give group handle highlight ignore include indent install keep label leave lint list log make mention
    merge migrate mock name notify offer open order organize pin prefer prefix present print propose provide
    push put quote read rebase recommend refer remind remove rename repeat reply report respond review rewrite
    round run save schedule send set show sign sort speak specify spell split squash start stick store
    structure suggest summarize summarise switch tag talk tell test translate treat try type update upload use
    validate verify wrap write
""")
STEPS = INSTRUCTIONS | words("""
    announce approve bake boil bump cd chop click cook cut detach disable disconnect download drain drop edit
    email enter fill flash generate get go grab have hit hold insert let load login lower message mix monitor
    move navigate pack pause ping place plug post pour preheat press promote publish pull raise reboot refresh
    release reload replace reset restart roll rollback scan scroll select shut smoke spin ssh stir stop swap
    blend brew clear connect dry filter grind knead peel purge reconnect reinstall rerun retry rinse scrub serve
    simmer slice soak squeeze steep strain tighten unscrew wipe
    sync take tap turn unplug wait warm wash watch zip
""")


# Programs, languages, services and companies that people name, often without a capital.


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


# Trades, relatives, languages, nationalities, diets and illnesses, and words that look like names and are none.


JOBS = words("""
    accountant actor actress actuary administrator advisor analyst anthropologist archaeologist architect
    artist astronaut astronomer athlete attorney author baker banker barber barista bartender biologist
    blogger bookkeeper botanist bricklayer butcher carpenter cashier chef chemist chiropractor cleaner coach
    comedian composer consultant contractor cook copywriter counselor counsellor curator dancer dentist
    designer detective developer dietitian diplomat director dj doctor driver ecologist economist editor
    electrician engineer entrepreneur epidemiologist farmer filmmaker firefighter florist freelancer gardener
    geologist geographer hairdresser historian housekeeper illustrator instructor interpreter investor janitor
    jeweler journalist judge landscaper lawyer lecturer librarian lifeguard linguist locksmith machinist
    manager marketer mathematician mechanic midwife minister model musician neurologist neuroscientist
    novelist nurse nutritionist oncologist optician optometrist orthodontist painter paralegal paramedic
    pastor pediatrician pharmacist photographer physician physicist physiotherapist pianist pilot plumber poet
    policeman politician postdoc potter priest producer professor programmer psychiatrist psychologist
    publicist radiologist realtor receptionist recruiter reporter researcher roofer sailor salesman saleswoman
    salesperson scientist sculptor secretary singer sociologist soldier songwriter statistician stylist
    surgeon surveyor tailor teacher technician therapist tiler trader trainer translator tutor undertaker
    veterinarian vet videographer violinist waiter waitress welder writer zoologist ceo cto cfo sysadmin sre
    intern apprentice streamer youtuber dev
""")
MODIFIERS = words("""
    senior junior lead chief principal head staff freelance retired self-employed full-time part-time
    assistant associate deputy registered certified licensed independent software hardware data machine
    learning frontend front-end backend back-end full-stack fullstack web mobile game games ux ui product
    project program account sales marketing graphic interior fashion industrial mechanical electrical civil
    chemical biomedical aerospace network security cloud devops platform systems system site reliability
    research clinical school high elementary primary middle kindergarten university college math maths
    mathematics english german french spanish history science physics chemistry biology music art dance yoga
    fitness personal life executive financial business legal tax corporate family general veterinary dental
    emergency pediatric er icu social media content technical travel wedding wildlife landscape bus taxi truck
    uber train airline commercial police private real estate hr human resources quality assurance qa test
    operations supply chain logistics investment portfolio risk policy political environmental marine climate
    physical occupational speech massage mental health public nonprofit nuclear pastry sous line night
    professional amateur ai ml nlp ios android python java javascript react rails embedded firmware database
    solutions support it voice
""")
RELATIVES: dict[str, str] = {
    word: predicate
    for predicate, forms in {
        "sister": "sister sis stepsister half-sister",
        "sister_in_law": "sister-in-law",
        "brother": "brother bro stepbrother half-brother",
        "brother_in_law": "brother-in-law",
        "mother": "mother mom mum mommy mama",
        "father": "father dad papa daddy",
        "wife": "wife",
        "husband": "husband",
        "partner": "partner",
        "girlfriend": "girlfriend gf",
        "boyfriend": "boyfriend bf",
        "fiance": "fiance fiancé",
        "fiancee": "fiancee fiancée",
        "spouse": "spouse",
        "son": "son stepson",
        "daughter": "daughter stepdaughter",
        "child": "kid child",
        "baby": "baby",
        "grandmother": "grandmother grandma granny nana",
        "grandfather": "grandfather grandpa granddad",
        "grandson": "grandson",
        "granddaughter": "granddaughter",
        "aunt": "aunt auntie",
        "uncle": "uncle",
        "cousin": "cousin",
        "niece": "niece",
        "nephew": "nephew",
        "friend": "friend buddy bestie mate",
        "roommate": "roommate flatmate housemate",
        "neighbor": "neighbor neighbour",
        "boss": "boss manager supervisor",
        "colleague": "colleague coworker co-worker teammate",
        "teacher": "teacher tutor",
        "doctor": "doctor gp",
        "dentist": "dentist",
        "therapist": "therapist",
        "coach": "coach trainer",
        "mentor": "mentor",
        "landlord": "landlord landlady",
        "cofounder": "cofounder co-founder",
        "lawyer": "lawyer attorney",
        "accountant": "accountant bookkeeper",
        "nanny": "nanny babysitter",
    }.items()
    for word in forms.split()
} | {"business partner": "business_partner"}
PETS = words("""
    dog dogs puppy puppies cat cats kitten kittens kitty hamster hamsters rabbit rabbits bunny parrot parrots
    budgie canary goldfish turtle turtles tortoise guinea-pig ferret horse horses pony gecko lizard snake
    chickens beagle labrador poodle retriever corgi dachshund husky terrier bulldog greyhound whippet spaniel
    dalmatian chihuahua pug collie sheepdog mutt schnauzer cockatiel parakeet chinchilla
""")
LANGUAGES = names("""
    English, German, French, Spanish, Portuguese, Italian, Dutch, Swedish, Norwegian, Danish, Finnish,
    Icelandic, Polish, Czech, Slovak, Hungarian, Romanian, Bulgarian, Greek, Turkish, Russian, Ukrainian,
    Serbian, Croatian, Slovenian, Arabic, Hebrew, Persian, Farsi, Hindi, Urdu, Bengali, Punjabi, Tamil,
    Telugu, Malayalam, Kannada, Marathi, Gujarati, Nepali, Thai, Vietnamese, Indonesian, Malay, Tagalog,
    Chinese, Mandarin, Cantonese, Japanese, Korean, Mongolian, Swahili, Amharic, Yoruba, Igbo, Zulu,
    Afrikaans, Catalan, Basque, Galician, Irish, Welsh, Latin, Esperanto, Sign Language, ASL, Brazilian
    Portuguese, British English, American English, Deutsch, Englisch, Französisch, Spanisch, Español, Inglés,
    Português, Inglês, Français, Anglais, Allemand, Espagnol, Italien, Portugais, Néerlandais, Arabe
""")
NATIONALITIES = words("""
    american argentinian australian austrian belgian brazilian british bulgarian canadian chilean chinese
    colombian croatian cuban czech danish dutch egyptian english estonian ethiopian filipino finnish french
    german ghanaian greek hungarian indian indonesian iranian iraqi irish israeli italian jamaican japanese
    kenyan korean latvian lebanese lithuanian malaysian mexican moroccan nepali nigerian norwegian pakistani
    palestinian peruvian polish portuguese romanian russian scottish serbian slovak slovenian spanish swedish
    swiss syrian taiwanese thai tunisian turkish ukrainian uruguayan venezuelan vietnamese welsh
""")
DIETS = words("vegan vegetarian pescatarian gluten-free keto kosher halal teetotal")
# What stands after "is" with a capital and names nobody: nations, faiths, signs, heroes.
DESCRIBES = (
    NATIONALITIES
    | DIETS
    | words(
        "catholic christian jewish muslim hindu buddhist protestant atheist mormon orthodox lutheran republican"
        " democrat black white latino latina hispanic asian african european arab deaf autistic gay lesbian queer trans"
        " bisexual aries taurus gemini virgo libra scorpio sagittarius capricorn aquarius pisces boomer"
        " batman superman santa satan spiderman hitler voldemort godzilla yoda gandalf karma"
        " gen type team done exhausted pregnant busy fine late sick tired dead gone sorry ready free single married"
        " drunk sober hungry back lost awake asleep away elvis anonymous"
    )
)
CONDITIONS = names("""
    asthma, diabetes, type 1 diabetes, type 2 diabetes, celiac disease, coeliac disease, celiac, coeliac, epilepsy,
    ADHD, ADD, autism, dyslexia, anxiety, depression, arthritis, migraines, eczema, psoriasis, hypertension, high blood
    pressure, insomnia, IBS, endometriosis, tinnitus, hay fever, a heart condition, MS, lupus, OCD, PTSD,
    sleep apnea, scoliosis, crohn's disease, hypothyroidism
""")
# Words that begin a sentence with a capital, or are written with one, and name nobody.
NOT_NAMES = words("""
    mr mrs ms dr prof sir i i'm i've i'd i'll a an the this that these those he she it they we you my your his
    her our their its who what where when why how which whose everyone everybody someone somebody nobody
    anyone anybody none one all both each some any many most much more few several other another such same
    there here now then today tomorrow yesterday tonight yes no yeah yep nope ok okay sure thanks thank hello
    hi hey dear please sorry wow oh ah well so but and or if because since while although though unless until
    after before as at by for from in into of off on onto out over to up with about also actually basically
    honestly currently recently lately finally maybe perhaps probably just only even still never always
    sometimes often usually not do does did don't doesn't didn't is isn't are aren't was were be been being am
    have has had having will would can could should may might must shall let let's get got go going make made
    take see say said think know want need like love hate work works working live lives god jesus mom mum dad
    mother father sister brother wife husband son daughter grandma grandpa people family friends life time
    work home school love everything something nothing anything things stuff monday tuesday wednesday thursday
    friday saturday sunday january february march april may june july august september october november
    december christmas easter halloween thanksgiving spring summer autumn fall winter morning afternoon
    evening night good great nice bad best first last next new old happy user assistant agent human bot ai
    note todo fyi btw lol haha hahaha omg tbh imo idk congrats congratulations welcome bye goodbye cheers ps
    re fwd guess looks sounds seems feels hope glad great cool awesome amazing really very too quite that's
    it's he's she's there's what's here's who's they're we're you're speaking talking considering given
    according regarding absolutely definitely totally exactly certainly indeed right wrong true false however
    meanwhile besides instead anyway unfortunately fortunately luckily sadly hopefully
""")


# Countries, regions and big cities: enough to tell a place where capitals are missing or say nothing.


COUNTRIES = names("""
    Afghanistan, Albania, Algeria, Andorra, Angola, Argentina, Armenia, Australia, Austria, Azerbaijan,
    Bangladesh, Belarus, Belgium, Bolivia, Bosnia, Botswana, Brazil, Brasil, Bulgaria, Cambodia, Cameroon,
    Canada, Chile, China, Colombia, Costa Rica, Croatia, Cuba, Cyprus, Czech Republic, Czechia, Denmark,
    Deutschland, Dominican Republic, Ecuador, Egypt, El Salvador, England, España, Estonia, Ethiopia, Finland,
    France, Germany, Ghana, Greece, Guatemala, Haiti, Honduras, Hungary, Iceland, India, Indonesia, Iran,
    Iraq, Ireland, Israel, Italy, Ivory Coast, Jamaica, Japan, Kazakhstan, Kenya, Kosovo, Kuwait, Laos,
    Latvia, Lebanon, Libya, Lithuania, Luxembourg, Malaysia, Malta, Mexico, México, Moldova, Mongolia,
    Morocco, Mozambique, Myanmar, Namibia, Nepal, Netherlands, Holland, New Zealand, Nicaragua, Nigeria, North
    Macedonia, Northern Ireland, Norway, Österreich, Pakistan, Palestine, Panama, Paraguay, Peru, Philippines,
    Poland, Portugal, Puerto Rico, Qatar, Romania, Russia, Rwanda, Saudi Arabia, Schweiz, Scotland, Senegal,
    Serbia, Slovakia, Slovenia, Somalia, South Africa, South Korea, Korea, Spain, Sri Lanka, Sudan, Sweden,
    Switzerland, Syria, Taiwan, Tanzania, Thailand, Tunisia, Turkey, Uganda, Ukraine, United Arab Emirates,
    UAE, United Kingdom, UK, United States, USA, US, Uruguay, Uzbekistan, Venezuela, Vietnam, Wales, Yemen,
    Zambia, Zimbabwe, Europe, Asia, Africa, Hawaii, Bali, Crete, Sicily, Tuscany, Bavaria, Andalusia,
    Catalonia, Provence, Brittany, Normandy, Scandinavia, Patagonia, Tasmania
""")
STATES = names("""
    Alabama, Alaska, Arizona, Arkansas, California, Colorado, Connecticut, Delaware, Florida, Idaho, Illinois,
    Indiana, Iowa, Kansas, Kentucky, Louisiana, Maine, Maryland, Massachusetts, Michigan, Minnesota,
    Mississippi, Missouri, Montana, Nebraska, Nevada, New Hampshire, New Jersey, New Mexico, New York, North
    Carolina, North Dakota, Ohio, Oklahoma, Oregon, Pennsylvania, Rhode Island, South Carolina, South Dakota,
    Tennessee, Texas, Utah, Vermont, Virginia, Washington, West Virginia, Wisconsin, Wyoming, Ontario, Quebec,
    British Columbia, Alberta, Queensland, New South Wales
""")
CITIES = names("""
    Aalborg, Aarhus, Bari, Brno, Cádiz, Catania, Coimbra, Donostia, Galway, Gdańsk, Groningen, Innsbruck, Kiel,
    Ljubljana, Lund, Malmö, Metz, Ostrava, Padua, Palermo, Poznań, Tallinn, Tampere, Tartu, Trieste, Turin, Uppsala,
    Utrecht, Valparaíso, Verona, Zagreb,
    Aachen, Abu Dhabi, Adelaide, Amsterdam, Ankara, Antwerp, Athens, Atlanta, Auckland, Austin, Baltimore,
    Bangalore, Bangkok, Barcelona, Basel, Beijing, Beirut, Belfast, Belgrade, Belo Horizonte, Bergen,
    Berkeley, Berlin, Bern, Bilbao, Birmingham, Bogotá, Bologna, Bonn, Bordeaux, Boston, Boulder, Brasília,
    Bratislava, Bremen, Brighton, Brisbane, Bristol, Brooklyn, Brussels, Bucharest, Budapest, Buenos Aires,
    Cairo, Calgary, Cambridge, Cape Town, Caracas, Cardiff, Charlotte, Chennai, Chicago, Christchurch,
    Cincinnati, Cleveland, Cologne, Copenhagen, Cork, Curitiba, Dallas, Delhi, Denver, Detroit, Doha,
    Dortmund, Dresden, Dubai, Dublin, Düsseldorf, Edinburgh, Eindhoven, Essen, Florence, Fortaleza, Frankfurt,
    Geneva, Genoa, Ghent, Glasgow, Gothenburg, Granada, Graz, Guadalajara, Hamburg, Hanoi, Hannover, Havana,
    Heidelberg, Helsinki, Hong Kong, Honolulu, Houston, Hyderabad, Innsbruck, Istanbul, Jakarta, Jerusalem,
    Johannesburg, Karachi, Karlsruhe, Kiel, Köln, Kraków, Krakow, Kuala Lumpur, Kyiv, Kyoto, Lagos, Las Vegas,
    Leeds, Leipzig, Lima, Lisbon, Lisboa, Liverpool, Ljubljana, London, Los Angeles, LA, Lyon, Madrid, Málaga,
    Malmö, Manchester, Manila, Marseille, Medellín, Melbourne, Mexico City, Miami, Milan, Minneapolis,
    Montevideo, Montreal, Moscow, Mumbai, München, Munich, Münster, Nairobi, Nantes, Naples, Nashville, New
    Delhi, New Orleans, New York City, NYC, Nice, Nuremberg, Oakland, Osaka, Oslo, Ottawa, Oxford, Palermo,
    Palo Alto, Paris, Perth, Philadelphia, Phoenix, Pittsburgh, Porto, Porto Alegre, Portland, Prague, Pune,
    Quito, Recife, Reykjavik, Riga, Rio de Janeiro, Rio, Rome, Rotterdam, Sacramento, Salvador, Salzburg, San
    Antonio, San Diego, San Francisco, SF, San Jose, San José, Santiago, São Paulo, Sao Paulo, Sarajevo,
    Seattle, Seoul, Seville, Sevilla, Shanghai, Sheffield, Shenzhen, Singapore, Sofia, St. Louis, Stockholm,
    Strasbourg, Stuttgart, Sydney, Taipei, Tallinn, Tampa, Tbilisi, Tehran, Tel Aviv, The Hague, Tokyo,
    Toronto, Toulouse, Trondheim, Tucson, Turin, Utrecht, Valencia, Vancouver, Venice, Vienna, Vilnius,
    Warsaw, Washington DC, Wellington, Wien, Yerevan, Zagreb, Zaragoza, Zürich, Zurich
""")
PLACES = COUNTRIES | STATES | CITIES


# Whether two names are of one town.


# One town by several names, the first as it is mostly called.
_TOWNS = (
    "new york city,nyc,new york",
    "los angeles,la",
    "san francisco,sf",
    "munich,munchen",
    "cologne,koln",
    "vienna,wien",
    "rome,roma",
    "milan,milano",
    "florence,firenze",
    "venice,venezia",
    "naples,napoli",
    "turin,torino",
    "lisbon,lisboa",
    "prague,praha",
    "warsaw,warszawa",
    "copenhagen,kobenhavn",
    "brussels,bruxelles,brussel",
    "geneva,geneve,genf",
    "zurich,zuerich",
    "moscow,moskva",
    "beijing,peking",
    "kyiv,kiev",
    "mumbai,bombay",
)
_TOWN = {name: town.split(",")[0] for town in _TOWNS for name in town.split(",")}


def same_place(one: str, other: str) -> bool:
    """ "Berlin" and "Berlin, Germany", "NYC" and "New York City". "Paris, Texas" is another Paris."""
    return _town(one) == _town(other)


def _town(name: str) -> str:
    head, _, country = name.partition(",")
    whole = name if country and country.strip().casefold() not in COUNTRIES else head
    key = name_key(whole)
    return _TOWN.get(key, key)
