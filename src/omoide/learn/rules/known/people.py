"""Trades, relatives, languages, nationalities, diets and illnesses, and words that look like names and are none."""

from __future__ import annotations

from .words import names, words

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
