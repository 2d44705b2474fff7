"""Data of the simulated life: places, people, things, and sentences about them."""

from __future__ import annotations

from dataclasses import dataclass

CITIES = """Berlin Lisbon Oslo Graz Lyon Porto Vienna Madrid Dublin Turin Ghent Bergen Krakow Utrecht Seville Basel
Aarhus Leeds Bristol Riga Tallinn Zagreb Bologna Malmö Antwerp Cologne Dresden Nantes""".split()
FIRMS = """Siemens Bosch Stripe Mozilla Spotify Zalando Ikea Philips Nokia Airbus Ericsson Lufthansa Adidas Maersk Volvo
Novartis Allianz Renault Heineken Lego""".split()
EDITORS = ["Vim", "Helix", "Emacs", "Zed", "Neovim", "Kakoune", "Sublime", "Nova"]
MANAGERS = ["npm", "pnpm", "yarn", "bun", "deno"]
HOSTS = ["Vercel", "Fly.io", "Hetzner", "Netlify", "Render", "Heroku"]
CARS = ["Honda Civic", "Skoda Octavia", "Fiat Panda", "Volvo V60", "Renault Zoe", "Toyota Yaris", "Mazda MX-5"]
BANDS = ["Radiohead", "Wilco", "Portishead", "Khruangbin", "Low", "Beirut", "Air", "Elbow"]
PARTNERS = ["Julia", "Carla", "Nina", "Ines", "Petra"]
PETS = ["Miso", "Rex", "Luna", "Pepper", "Biscuit", "Olive", "Mango", "Tofu", "Hazel"]
PROJECTS = ["Lumen", "Kestrel", "Nimbus", "Pinecone", "Harbor", "Quill", "Tundra", "Ember"]
HOBBIES = ["hiking", "chess", "pottery", "sailing", "baking", "cycling", "birdwatching", "karaoke"]
DIETS = ["vegetarian", "vegan", "pescatarian"]
TONGUES = ["Japanese", "Italian", "Polish", "Norwegian"]

FOODS = "lentil soup,pancakes,ramen,a huge salad,lasagna,dumplings,leftovers,tacos,risotto,shakshuka,curry".split(",")
WEATHER = "rain,sun,fog,snow,wind,a thunderstorm,drizzle,heat".split(",")
SHOWS = "a documentary about whales,an old western,a cooking show,the news,a film about trains,a chess match".split(",")
THINGS = "the printer,the heating,my bike,the washing machine,the router,the blinds,the coffee machine".split(",")
MOODS = "tired,fine,a bit stressed,happy,restless,calm,curious".split(",")
ERRANDS = (
    "book the dentist,call the landlord,renew the passport,send the tax papers,fix the bike,pay the water bill,"
    "water the plants,buy a birthday present,cancel the gym,submit the expense report,order new glasses"
).split(",")
DONE = {
    "book": "booked",
    "call": "called",
    "renew": "renewed",
    "send": "sent",
    "fix": "fixed",
    "pay": "paid",
    "water": "watered",
    "buy": "bought",
    "cancel": "cancelled",
    "submit": "submitted",
    "order": "ordered",
}

SMALL_TALK = (
    "Good morning!",
    "Nothing but {weather} today.",
    "We had {food} for dinner.",
    "I watched {show} last night, it was alright.",
    "{thing_} is making a strange noise again.",
    "I slept badly, I feel {mood}.",
    "I feel {mood} today.",
    "Lunch was {food}, and then {weather} on the way home.",
    "There was {weather} all week, so we stayed in with {food}.",
    "The train was {minutes} minutes late.",
    "I read {minutes} pages of that novel.",
    "Just thinking aloud here.",
    "Ok, thanks!",
    "My back hurts a little, {minutes} hours of meetings.",
)
QUESTIONS = (
    ("How do I get rid of {weather_} stains on a window?", "Warm water and vinegar usually do it."),
    ("What goes well with {food}?", "Something fresh: a cucumber salad, or a glass of cider."),
    ("How long does {food} keep in the fridge?", "About three days, well covered."),
    ("Any idea why {thing} is so loud?", "Dust, most of the time. Switch it off, clean it, and try again."),
    ("What was that film about {minutes} sailors called?", None),
    ("How much is {minutes} miles in kilometres?", "Multiply by 1.6."),
)
REPLIES = ("Good to hear.", "I see.", "Noted!", "Sounds like a full day.", "Thanks for telling me.", "That is a lot.")
STRAY = (  # look like facts about the person but are not
    "My neighbour said he moved to {city}.",
    "If I lived in {city} I would cycle to work.",
    "Write me a story about a man who lives in {city}.",
    "Should I apply at {firm}?",
    "I dreamt that I worked at {firm}.",
    "I might visit {city} in autumn.",
)


@dataclass(frozen=True, slots=True)
class Trait:
    """A property that changes: sentences that state, repeat, end and ask for it.

    `{v}` is the value, `{old}` the one before, `{who}` whose it is.
    """

    name: str
    who: str
    values: tuple[str, ...]
    years: float  # average duration
    told: tuple[str, ...]
    again: tuple[str, ...]
    asked: str
    ends: tuple[str, ...] = ()  # empty: never ends without a successor
    apart: float = 0.0  # years without a value after an end
    replaced: tuple[str, ...] = ()  # wordings of a change; without, those of the first value


def traits() -> tuple[Trait, ...]:
    """Returns the traits of the person, then those of people and projects around them."""
    return (
        Trait(
            "home",
            "me",
            tuple(CITIES),
            4,
            ("I moved to {v} last week.", "We moved to {v}, the boxes are everywhere.", "I live in {v} now."),
            ("Since I live in {v}, everything is near.", "I live in {v}, so the sea is far."),
            "Where do I live?",
        ),
        Trait(
            "job",
            "me",
            tuple(FIRMS),
            3.5,
            ("I just started a new job at {v}.", "I work at {v} now."),
            ("I work at {v}, and today was long.",),
            "Where do I work?",
        ),
        Trait(
            "editor",
            "me",
            tuple(EDITORS),
            5,
            ("I use {v}.",),
            ("I use {v} for everything.",),
            "Which editor do I use?",
            replaced=("I switched from {old} to {v}.",),
        ),
        Trait(
            "packages",
            "me",
            tuple(MANAGERS),
            6,
            ("Always use {v}.",),
            ("As I said, always use {v}.",),
            "Which package manager should you always use?",
            replaced=("Always use {v}, not {old}.", "No, use {v}, not {old}."),
        ),
        Trait(
            "car",
            "me",
            tuple(CARS),
            6,
            ("I drive a {v}.",),
            ("I drive a {v} and it needs new tyres.",),
            "Which car do I own?",
            replaced=("I sold my {old}. I drive a {v}.",),
        ),
        Trait(
            "band",
            "me",
            tuple(BANDS),
            5,
            ("My favourite band is {v}.",),
            ("My favourite band is {v}, I heard them all evening.",),
            "What is my favourite band?",
        ),
        Trait(
            "partner",
            "me",
            tuple(PARTNERS),
            7,
            ("I'm married to {v}.", "My girlfriend {v} stayed for dinner."),
            ("My partner {v} is at her parents'.",),
            "Who is my spouse, girlfriend or partner?",
            ends=("{v} and I broke up.",),
            apart=1.0,
        ),
        Trait(
            "pet",
            "me",
            tuple(PETS),
            8,
            ("I have a cat called {v}.", "I have a dog called {v}."),
            ("My pet {v} slept on the keyboard.",),
            "Which cat or dog do I have?",
            ends=("My cat {v} died.", "{v} died last night."),
            apart=0.7,
        ),
        Trait(
            "diet",
            "me",
            tuple(DIETS),
            5,
            ("I'm {v}.",),
            ("I'm {v}, as you know.",),
            "Am I vegetarian, vegan or pescatarian?",
            ends=("I'm not {v} anymore.",),
            apart=2.0,
        ),
        Trait(
            "tongue",
            "me",
            tuple(TONGUES),
            4,
            ("I'm learning {v}.",),
            ("I'm learning {v}, chapter nine today.",),
            "Which language am I learning?",
            ends=("I stopped learning {v}.",),
            apart=2.0,
        ),
        Trait(
            "project",
            "me",
            tuple(PROJECTS),
            3,
            ("I'm working on a project called {v}.",),
            ("I'm working on {v} this week.",),
            "Which project am I working on?",
            ends=("I'm no longer working on {v}.",),
            apart=0.3,
        ),
        *(_of(who, kin) for who, kin in (("Ana", "sister"), ("Tom", "brother"), ("Malik", "friend"), ("Ruth", "aunt"))),
        *(_at_work(who, kin) for who, kin in (("Ana", "sister"), ("Malik", "friend"))),
        Trait(
            "host",
            "Lantern",
            tuple(HOSTS),
            4,
            ("Lantern is deployed on {v}.",),
            ("Lantern is deployed on {v}, and it is slow today.",),
            "Where is Lantern deployed?",
        ),
    )


def _of(who: str, kin: str) -> Trait:
    return Trait(
        f"home of {who}",
        who,
        tuple(CITIES),
        6,
        (f"My {kin} {who} lives in {{v}}.",),
        (f"My {kin} {who} lives in {{v}}, we talked for an hour.",),
        f"Where does {who} live?",
        replaced=(f"{who} moved to {{v}}.", f"My {kin} {who} moved to {{v}} last month."),
    )


def _at_work(who: str, kin: str) -> Trait:
    return Trait(
        f"job of {who}",
        who,
        tuple(FIRMS),
        5,
        (f"My {kin} {who} works at {{v}}.",),
        (f"{who} works at {{v}}.",),
        f"Where does {who} work?",
        replaced=(f"{who} works at {{v}} now.", f"{who} started a new job at {{v}}."),
    )
