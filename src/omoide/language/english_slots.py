"""The wordings of the slots in English, and word lists by which statements are read."""

from __future__ import annotations

KIN = """
    partner: partner girlfriend/f boyfriend/m fiancé/m fiancée/f fiance/m fiancee/f gf/f bf/m
    spouse: husband/m wife/f hubby/m spouse
    child: son/m daughter/f kid child baby boy/m girl/f toddler stepson/m stepdaughter/f youngest oldest eldest
    parent: mother/f father/m mom/f mum/f mam/f mama/f mummy/f dad/m daddy/m papa/m stepmom/f stepdad/m stepmother/f
        stepfather/m ma/f
    sibling: brother/m sister/f sis/f bro/m twin half-brother/m half-sister/f stepbrother/m stepsister/f
    relative: aunt/f auntie/f uncle/m cousin niece/f nephew/m grandmother/f grandfather/m grandma/f grandpa/m gran/f
        granny/f nan/f nana/f grandad/m granddad/m gogo/f grandson/m granddaughter/f grandchild grandkid
        mother-in-law/f
        father-in-law/m brother-in-law/m sister-in-law/f mother+in+law/f father+in+law/m brother+in+law/m
        sister+in+law/f mil/f fil/m ex ex-husband/m ex-wife/f goddaughter/f godson/m son-in-law/m daughter-in-law/f
        son+in+law/m daughter+in+law/f oma/f opa/m abuela/f abuelo/m
    friend: friend best+friend bestie mate buddy neighbour neighbor roommate flatmate housemate pal penpal
    colleague: colleague coworker co-worker teammate assistant intern client supervisor co-founder cofounder
        business+partner deskmate apprentice
    manager: boss manager team+lead teamlead tech+lead line+manager
    doctor: doctor gp dentist therapist physio vet cardiologist dermatologist psychiatrist midwife optician
        pediatrician paediatrician doc gynecologist gynaecologist surgeon specialist
    pet: dog cat puppy kitten rabbit bunny hamster horse pony parrot pet pup tortoise
    acquaintance: teacher coach trainer tutor landlord landlady/f nanny/f babysitter accountant lawyer
        plumber electrician hairdresser mechanic cleaner instructor professor advisor adviser
"""

# Capitalised words that name nobody.
NOT_NAMES = """
    I I'm I've I'll I'd Im Ive The A An My Our His Her Their This That These Those It It's Its There Here We We're
    We've He She They You Your What When Where Who Why How Which If And But So Or Also Then Now Ok Okay Oh Yes No
    Not Please Thanks Thank Can Could Would Should Do Does Did Is Are Was Were Will Has Have Had Monday Tuesday
    Wednesday Thursday Friday Saturday Sunday January February March April May June July August September October
    November December Christmas Easter English German French Spanish Italian Portuguese Chinese Japanese Dutch
    Polish Russian American British Irish Swedish Danish Norwegian Turkish Greek Arabic Korean Hindi Python
    JavaScript Java Rust Go Excel Word Google Netflix Spotify Amazon Apple Microsoft Linux Windows Mac Docker
    GitHub Slack PDF USB TV AI CI API SQL HTML CSS UK US USA EU NHS HR IT PR OK God Lord Just Since Because For
    From With At In On By To Of As After Before Until While Every Each Some Any All Both One Two Three New Good
    Great Hello Hi Hey Dear Morning Evening Update Sorry Actually Btw Today Tomorrow Tonight Yesterday Next Last
    First Second Mum Mom Dad Mam Grandma Grandpa Nan Gran Let Let's Lets Never Always Don't Dont Only Still Got
    Get Make Made Write Give Tell Keep Use Add Put Same Perfect Lovely Cool Nice Right Well Anyway Maybe Honestly
    Turns Another Other More Most Everything Everyone Nothing Someone People Kids Doctor Dr Mr Mrs Ms Prof Happy
    Booked Back Moved Started Went Going Working Looking Trying Need Want Wish Like Love Hate Instead Scratch Wait
    Correction
"""

# Words after a relative that are no name, though written like one in lower case.
NOT_LOWER_NAMES = """
    now appointment birthday wedding visit house car phone place party school today again already maybe not too job
    room bed food name number age tomorrow tonight yesterday this that these those about because while when where
    who which what how why back home here there via like without within per plus minus across out off over under
    until till needs want wants never always only also just still even yet ever much many more most less least soon
    later once twice really very quite both either neither each every all any some none two three four five six
    seven eight nine ten old new big little own same other another such than then though although unless whether
"""

# Modals and past tenses, which are the same in all persons.
UNCHANGED_VERBS = """
    can can't cant cannot could couldn't will won't wont would wouldn't should shouldn't must mustn't might may
    shall didn't didnt did had hadn't was wasn't went got bought came saw said told took made gave knew thought
    found left felt brought kept began ran wrote read ate drank drove flew sold sent spent met paid lost won broke
    chose grew slept woke wore taught caught fell heard held led let put quit set cut hit hurt shut cost threw
    understood became forgot sat stood swam sang rode rose built burnt learnt dreamt bet split spread shot stuck
    swore tore used were isn't ain't not and or to who 'm 'd 'll 've have've dealt meant lent hid bit hung dug
    froze fed bred ought
"""

# Words that never say what a statement is about.
MATTER_IGNORED = """
    use using always never stop fine okay allowed welcome don't dont put wants
    is are was were be been being am has have had do does did will would can could should may might must shall not
    can't cant cannot won't couldn't no never now new old still also just really very too again already only even
    back away here there this that these those it its he she they them him her his their we us our you your i me my
    mine user users the a an of in on at to for from with by as and or but so if when then than because since until
    before after about into over under up down out off more most some any all both each every other another same own
    one two three four five six seven eight nine ten first second last next today tomorrow yesterday tonight week
    month year day morning evening afternoon night monday tuesday wednesday thursday friday saturday sunday mondays
    tuesdays wednesdays thursdays fridays saturdays sundays january february march april june july august september
    october november december am pm o'clock s t re ll ve d m changed moved switched instead longer anymore cancelled
    canceled scrap scrapped called name named get got gets getting go goes going come comes coming make makes made
    take takes took thing things stuff actually correction wait please want wants need needs like likes please
"""

# Patterns of the restated clause.
SLOTS = r"""
    name: USER(?:(?: is| goes by)(?! {NO_NAME})|'s (?:full |first )?name(?: is|'s))(?: actually| called
        | named)? (?P<value>{NAME})(?:\W*$|, (?:not|an?|the)\b|,(?: [\w-]+){1,3} (?:at|for|with|in|from|of)\b)
    nickname: (?:.* )?(?:call(?:s)? USER|USER (?:goes by|is known as)|nickname is) (?P<value>{NAME})
    pronouns: .*\bpronouns (?:are|:) (?P<value>\w+(?:/\w+)+)|(?:USER|\w+) uses (?P<value2>\w+/\w+)
    birthday: {SUBJECT}(?:'s|’s)? (?:birthday|bday|b-day)(?: is|'s|(?= (?:on|in|the|\d|jan|feb|mar|apr|may|jun|jul|aug
        |sep|oct|nov|dec))) (?P<value>.+)
    birthday: {SUBJECT} (?:turns|is turning|turned|will be|will turn) (?P<value>\d{1,3}\b.*)
    birthday: {SUBJECT} (?:was|is) born (?:on )?(?P<value>(?:the )?\d.+)
    age: {SUBJECT}(?: is|'s| 's| are) (?:only |now |about |like |almost |nearly )*(?P<value>\d{1,3})(?: ?(?:yo|y/o|yrs?
        |years?)\b.*)?\W*$
    born_in: {SUBJECT} (?:was|is) (?:born|raised) (?:and raised |and born )?in (?P<value>{NAME})|{SUBJECT} (?:grew up in
        |comes from|is originally from|hails from) (?P<value2>{NAME})
    lives_in: {SUBJECT} (?:still |now |just |currently |has |have )*(?:lives?|living|lived|is based|is living
        |is moving to|moved(?: back)? to|is|relocated to
        |moves to)(?: now| back| over| up| down| out)?(?: with [\w' ]{2,20})? (?:in|to|near|outside
        |at) (?P<value>(?!{DAY_NAME}\b)(?-i:[A-ZÅÄÖØÉ]).{1,40}?)(?=[,.;]| (?:and|but|so|since|now|with|for|because
        |where|which|on|in|until|by)\b|$)
    lives_in: {SUBJECT} (?:has )?(?:just )?(?:moved|relocated)(?: back| over| down| up
        | out)? to (?!{DAY_NAME}\b)(?P<value>{NAME})
    lives_in: USER: we(?:'ve| have)?(?: just| finally)? (?:live|moved|relocated)(?: back| over| down| up| out)? (?:in
        |to) (?P<value>{NAME})
    address: .*\b(?:address is|lives? at|house is at|flat is at) (?P<value>.*\d.*)
    timezone: .*\b(?:time ?zone is|USER is (?:in|on)) (?P<value>[A-Z]{2,4}T\b|(?:UTC|GMT)\S*|\w+ time)
    nationality: {SUBJECT}(?: is|'s) (?:half )?(?P<value>(?-i:[A-Z])\w+(?:ish|ese|ian|ean|can|ch|ench|eek|iss|tch|man
        |ani|aqi|li|ino|ina))\W*(?:$|,| and| but| by)
    speaks: {SUBJECT} (?:also |only |mostly )*(?:speaks?|is learning|is fluent in
        |is native in) (?P<value>(?-i:[A-Z])\w+(?:(?:,| and|, and) (?-i:[A-Z])\w+)*)
    manager: (?P<value>{NAME})(?: is|'s|’s)?(?: now| actually)? (?:USER's) (?:new |direct |line )?(?:boss|manager
        |team lead|lead|supervisor)\b
    manager: USER's (?:new |direct |line |current )?(?:boss|manager|team lead|supervisor)(?: is
        |'s| is called| is now|,) (?:now |actually )?(?P<value>{NAME})
    manager: USER (?:now )?reports to (?P<value>{NAME})
    doctor: (?:USER's|the|his|her|their) (?:new )?(?:doctor|gp|dentist|therapist|vet|doc|cardiologist|physio
        |midwife)(?: is|'s| is called|,)? (?:now )?(?P<value>(?:Dr\.? )?{NAME})
    partner: {SUBJECT} (?:is|'s) (?:dating|engaged to|seeing|going out with|together with) (?P<value>{NAME})
    spouse: {SUBJECT} (?:is|'s|got) married to (?P<value>{NAME})|{SUBJECT} (?:married|is marrying) (?P<value2>{NAME})
    pet: {SUBJECT} (?:has|got|adopted|owns)(?: just| a| an| new| rescue| little| old)* (?:[\w-]+ ){0,2}(?:dog
        |cat|puppy|kitten
        |rabbit|horse|hamster|parrot|tortoise|pet) (?:called|named),? (?P<value>{NAME})
    pet: {SUBJECT} (?:has|got|adopted
        |owns)(?: just| a| an| two| three| new| rescue| little| old)* (?P<value>(?:[\w-]+ ){0,2}(?:dog|cat|puppy
        |kitten|rabbit|horse|hamster|parrot|chickens|cats|dogs|hens|tortoise)s?\b.*)
    allergy: {SUBJECT}(?: is| are|'s|'re)(?: also| really| very| badly| severely| deathly| super| mildly)* (?:allergic
        |intolerant|sensitive) to (?P<value>.+)
    allergy: {SUBJECT}(?: has| have|'s got| got)(?: a| an| the)? (?P<value>[\w -]{2,30}) (?:allergy|allergies
        |intolerance|sensitivity|thing)\b
    allergy: {SUBJECT} (?:really |just |still )*(?:can't|cant|cannot|can not|mustn't|must not|isn't allowed
        |is not allowed|reacts|shouldn't|may not)(?: to)?(?: really| ever)? (?:have|eat|take|tolerate|do|touch|drink
        |be near|get|badly to|to) (?P<value>(?!to\b|the\b|it\b|that\b|this\b)[\w -]{3,40})
    allergy: {SUBJECT}(?: is|'s) (?P<value>lactose|gluten)[- ](?:intolerant|free)|{SUBJECT}(?: is
        |'s| has)(?: a)? (?P<value2>coeliac|celiac)\b.*
    diet: {SUBJECT}(?: is| are|'s|'re|went|has gone
        |goes| has been| turned| became)(?: (?:a|an|now|also|strictly|basically
            |mostly|fully|lifelong|strict))* (?P<value>vegan
        |vegetarian|veggie|pescatarian|keto|kosher|halal|teetotal|plant[- ]based|low[- ]carb|gluten[- ]free
        |dairy[- ]free|on a [\w -]+ diet)\b
    diet: {SUBJECT} (?:doesn't|don't|does not|no longer|never|stopped|quit|gave up
        |has stopped)(?: really| ever)? (?P<value>(?:eat(?:s|ing)?|drink(?:s|ing)?) (?!it\b|that\b|this\b|much\b
        |enough\b)[\w ,-]{3,40})
    medication: {SUBJECT} (?:takes?|is on|is taking|was put on|was prescribed|got prescribed|started
        |has been on) (?P<value>(?:[\w-]+ ){0,3}(?:\d+(?:\.\d+)? ?(?:mg|mcg|ml|units)|pills?|tablets?|medication|meds
        |inhaler|insulin|metformin|antibiotics|blood thinners|statins?|[a-z]{4,}(?:ine|ol|il|xin|cin|ide|pam|one|cam
        |tan|zole|statin|prazole|xetine|mycin|cillin|formin))\b.*)
    condition: {SUBJECT}(?: has| have
        |'s got| got| was diagnosed with| has had| suffers from| is)(?: (?:a|an|bad|mild|severe|chronic|the|some
            |really|type [12]))* (?P<value>asthma
        |diabetes|diabetic|migraines?|arthritis|adhd|autism|autistic|epilepsy|epileptic|depression|anxiety
        |endometriosis|pcos|ibs|eczema|hay ?fever|tinnitus|high blood pressure|hypertension|sciatica|dyslexi[ac]
        |colou?r[- ]?blind|pregnant|a bad (?:back|knee|hip|shoulder)|bad (?:back|knee|hip)|insomnia|vertigo|gout
        |anemia|anaemia|(?:hypo|hyper)thyroid\w*|\w+itis|heart condition|cancer)\b
    blood_type: .*\bblood (?:type|group)(?: is|'s)? (?P<value>(?:A|B|AB|O)[ -]?(?:pos\w*|neg\w*|[+-]))
    works_at: {SUBJECT} (?:still |now |just |currently |also |has |have )*(?:works?|working|worked|is|started|starts
        |is starting|interns|joined|got hired|got a job|took a job|is employed
        |has started)(?: working)?(?: as [\w ]{2,30}?)?(?: a new job| a job)? (?:at|for|with) (?P<value>{NAME})
    works_at: {SUBJECT} (?:just |has )*(?:joined|is joining|runs|founded
    |owns) (?P<value>(?!\w+days?\b)(?-i:[A-Z])[\w&.' -]{1,30})
    works_as: {SUBJECT}(?: is|'s)(?: now| currently)? (?P<whole>without a job|unemployed|out of work
        |retired)(?: now)?\W*$
    works_as: {SUBJECT} (?:still |now |just |also )*(?:works?|working|worked|retrained
        |qualified) as (?:an? |the )?(?P<value>[\w -]{3,40})
    works_as: {SUBJECT}(?: is|'s)(?: actually| just| also| now| still| basically)* (?:an?
        |the) (?P<value>(?:[\w-]+ ){0,3}?(?:teacher|nurse|doctor|engineer|developer|programmer|designer|chef|cook
        |baker|lawyer|accountant|plumber|electrician|carpenter|locksmith|photographer|writer|author|editor|journalist
        |translator|pharmacist|dentist|vet|farmer|gardener|driver|pilot|architect|scientist|researcher|professor
        |lecturer|student|analyst|consultant|manager|director|owner|founder|freelancer|contractor|mechanic|paramedic
        |firefighter|police officer|librarian|barista|waiter|waitress|bartender|hairdresser|tailor|musician|actor
        |artist|illustrator|potter|welder|builder|joiner|surveyor|therapist|physio|physiotherapist|midwife
        |social worker|caregiver|carer|cleaner|receptionist|secretary|salesperson|realtor|trainer|coach|treasurer
        |admin|administrator|postdoc|phd student|seamstress|beekeeper|tour guide|translator|technician|sysadmin|PM|CTO
        |CEO
        |{OCCUPATION}))\b
    team: {SUBJECT}(?: is|'s)(?: now| on| in)* (?:on|in) (?:the )?(?P<value>[\w -]{3,25} team)\b
        |{SUBJECT}'s team is (?:called )?(?P<value2>.{3,40})
    studies: {SUBJECT} (?:is |'s )?(?:still |also |now )*(?:stud(?:y|ies|ying)|doing (?:an?|her|his|their
        |USER's) (?:phd|masters?|ma|msc|bsc|ba|mba|degree|a-levels|gcses)|majors? in
        |majoring in)(?: in)? ?(?P<value>[\w' -]{0,60})
    studies: {SUBJECT}(?: is|'s) (?P<value>in (?:\w+ )?(?:grade|year \d+|\d+(?:st|nd|rd|th) (?:grade|year|semester)
        |kindergarten|college|uni|high school|med school|law school))\b
    member_of: {SUBJECT}(?: is|'s)(?: also)? (?:in|part of|a member of|treasurer of|captain of|secretary of
        |chair of) (?P<value>(?:an?|the|our|USER's) (?:[\w' -]+ )?(?:club|choir|band|league|team|society|association
        |group|orchestra|board|union|committee|church|crew))\b.*
    plays: {SUBJECT} (?:also |still |now |just |started |is learning |is learning to |is learning the )*(?:plays?
        |playing|sings?|learning) (?P<value>(?!with\b|it\b|this\b|that\b|around\b|a role\b)(?:the )?[\w -]{3,25})
    favorite: (?:{SUBJECT}'s|her|his|their) (?:all[- ]time )?(?:favou?rite|fave) (?P<what>[\w ]{2,25}?)(?: is
        |'s| are| has always been) (?P<value>.+)
    dislikes: {SUBJECT} (?:really |absolutely |just |also |kinda |totally |actually )*(?:hates?|dislikes?|can't stand
        |cant stand|cannot stand|loathes?|detests?|doesn't like|don't like|does not like|isn't a fan of
        |is not a fan of|is not into|isn't into|is sick of|avoids) (?P<value>(?!it\b|that\b|this\b|when\b|how\b|him\b
        |her\b|you\b).+)
    likes: {SUBJECT} (?:really |absolutely |just |also |totally |actually |always |still )*(?:loves?|likes?|enjoys?
        |adores?|prefers?|is into|is crazy about|is obsessed with|is a (?:big |huge )?fan of|is mad about|is fond of
        |is keen on) (?P<value>(?!it\b|that\b|this\b|when\b|how\b|him\b|her\b|you\b|the idea|to (?:see|know|hear|get
        |have|be)\b).+)
    uses: {SUBJECT} (?:has )?(?:just |finally |recently )?(?:switched|moved|changed|migrated)(?: over)? from {TOOL}
        (?: {TOOL}){0,2}? to (?P<value>(?!the\b|it\b|that\b|this\b|a\b|an\b
        |USER)[\w.+#/-]+(?: [A-Z][\w.+#-]*){0,2})
    uses: {SUBJECT} (?:now |still |mostly |always |only |has |just |switched to |uses )*(?:uses?|switched to|is using
        |is on|migrated to|moved to) (?P<value>(?!{DAY_NAME}\b|the\b|it\b|that\b|this\b|a\b|holiday\b|vacation\b
        |shift\b|leave\b|call\b|track\b|my way)[\w.+#/-]+
        (?: (?!(?:for|as|at|in|on|to|with|and|every|all|when|if)\b)[\w.+#-]+){0,3})
    owns: {SUBJECT} (?:has|owns|drives|bought|just bought|just got|got|rides
        |has got)(?: an?| USER's| the| new| two| three| old)+ (?P<value>(?!to\b|it\b|meeting|appointment|question
        |problem|feeling|headache|cold\b|idea|call\b|exam|test\b|flight|deadline|interview)[\w -]{3,50})
    kept_in: (?:USER (?:keeps?|put|puts|stores?|left|moved) )?(?P<who>(?:(?:the|USER's|our|all
        |spare) )*(?:[\w'-]+ ){0,3}?(?:keys?|passport|fuses|tools|papers|documents|folder|charger|spare|files?|notes
        |password|box|kit|medicine|epipen|inhaler|ladder|drill|remote|manual|receipts?|backup|backups|config|secrets
        |cable|adapter|valve|fuse box|meter|stopcock|torch)s?)(?: is| are
        |'s| lives?| live| stays?| go| goes)?(?: now| kept| always)? (?P<value>(?:in|under|behind|on top of|above|over
        |next to|inside|on) (?:the|USER's|a|our|my) .+)
    deployed_on: (?P<who>(?:the |USER's |our )?[\w./-]+(?: [\w./-]+)?) (?:is|are|was|got)(?: now| currently
        | still)* (?:(?:deployed
        |hosted|self-hosted)(?: on| at| with| by)|running on) (?P<value>(?!\d)(?:[\w-]+\.\w+|{NAME}))
    works_on: {SUBJECT}(?: is|'s)(?: now| still| currently| also| mostly)* (?:working on|building) (?:(?:an?|the
        |USER's) (?:new |side )?(?:project|app|game|tool|product|startup|book|library)(?: called
        | named|,)? )?(?P<value>{NAME})
    works_on: {SUBJECT} (?:now |still |currently |mostly )*works on (?:(?:an?|the) (?:project|app)(?: called
        | named)? )?(?P<value>{NAME})
    version: (?:(?P<who>[\w./ -]{2,30}?) (?:is|are|runs|pins|uses|needs|requires|stays|moved|upgraded|is pinned
        |'s)(?: on| to| at| now)*|USER (?:pins?|runs?|uses?)) (?P<value>(?:[\w.-]+ )?v?\d+\.\d+(?:\.\d+)*)\b
    deadline: (?:the |USER's )?(?:deadline|due date|submission)(?: for (?P<who>[\w' -]{2,40}?))?(?: is|'s
        |:)?(?: now| on)* (?P<value>.*\d.*|.*day\b.*)|(?P<who2>(?:the |USER's )[\w' -]{2,40}?)(?: is
        |'s) due (?P<value2>.+)
    price: (?P<who>[\w' -]{2,40}?)(?: costs?| is| are
        |'s| went up to| charges?)(?: now| about| around| only)* (?P<value>(?:[$€£¥]\s?\d[\d.,]*k?
        |\d[\d.,]*k? ?(?:euros?|eur|dollars?|bucks|pounds|quid|usd|gbp|sgd|chf|kr|yen|rupees))\b.*)
"""

# Parts of patterns.
MACROS = {
    "OCCUPATION": r"""
        florist|barber|butcher|fishmonger|baker|bricklayer|roofer|plasterer|glazier|painter|decorator|upholsterer
        |blacksmith|cobbler|jeweller|jeweler|watchmaker|locksmith|printer|bookbinder|bookseller|shopkeeper|grocer
        |cashier|clerk|bookkeeper|auditor|banker|broker|economist|statistician|mathematician|physicist|chemist|biologist
        |geologist|historian|archaeologist|curator|linguist|interpreter|proofreader|copywriter|reporter|broadcaster
        |publisher|producer|dancer|singer|drummer|pianist|violinist|composer|comedian|sculptor|optician|optometrist
        |radiologist|cardiologist|surgeon|anaesthetist|anesthesiologist|psychologist|psychiatrist|counsellor|counselor
        |dietitian|nutritionist|masseur|masseuse|beautician|paediatrician|pediatrician|veterinarian|zookeeper|fisherman
        |forester|lumberjack|winemaker|brewer|courier|postman|mail carrier|bus driver|trucker|conductor|sailor|soldier
        |stewardess|steward|flight attendant|judge|solicitor|barrister|paralegal|notary|policeman|policewoman|detective
        |security guard|janitor|caretaker|nanny|childminder|tutor|principal|headteacher|lifeguard|referee|stylist
        |tattooist|dressmaker|weaver|data scientist|politician|diplomat|civil servant|recruiter|estate agent
        |travel agent
    """,
    "STATES": r"""
        (?:an? )?(?:allergic|intolerant|sensitive|vegan|vegetarian|veggie|pescatarian|diabetic|asthmatic|epileptic
        |pregnant|lactose[- ]intolerant|gluten[- ]free|dairy[- ]free|halal|kosher)
    """,
    "NO_NAME": r"""
        (?:(?-i:\S+-[a-z])|(?:actually )?(?:{STATES}|celiac|coeliac|keto|autistic|adhd|tired|sick|busy|hungry|bored
        |stuck|ceo|cto|cfo|coo|vp|sorry|sad|angry|single|married|divorced|retired|unemployed|gay|lesbian|bisexual|queer|straight|trans|catholic
        |protestant|muslim|jewish|hindu|buddhist|sikh|atheist|agnostic|mormon|republican|democrat
        |(?:austral|austr|brazil|canad|ind|niger|ukrain|hungar|roman|bulgar|croat|serb|lithuan|latv|eston|belg|egypt
        |ital|iran|colomb|peruv|argentin|norweg|russ|as|ethiop|palestin|syr|jordan|sloven|alban|armen|georg
        )ian|mexican|african|european|korean|finnish|scottish|welsh|swiss|czech|slovak|thai|vietnamese|japanese
        |filipin[oa]|pakistani|iraqi|israeli|asian|black|white|latin[oax]|left-handed|right-handed)\b)
    """,
    "NAME_HERE": r"""
        (?!(?:{DAY_NAME}|{KIN}|{NO_NAME}|same|nobody|no one|everyone|everything|someone|nothing|all|up|down|right|over
        |in|out|back|from|still|stop|sunny|rainy|cold|hot|warm|windy|snowy|foggy|late|early|noon|midnight|winter
        |summer|spring|autumn|rain|snow|morning|evening|night|long|new|not|live|only|just|look|see|been|born|being|home
        |welcome|work|life|people|things|i|he|she|it|we|they|you|\w+ing|\w{4,}ed)\b)(?-i:[A-Z][a-z]+) here
    """,
    "DAY_NAME": r"""
        (?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|august|september
        |october|november|december)
    """,
    "TOOL": r"[\w@][\w@.+#-]*",
    "SUBJECT": r"""
        USER(?:'s {ADJ}(?:{KIN})(?:,? {NAME},?)?)?|{NAME}(?:,? (?:USER's) (?:{KIN}),?)?|(?:the )?(?:{KIN})|he|she
    """,
    "NAME": r"""
        (?-i:[A-Z][\w'’-]*[^\W\d_](?<!'s)(?<!’s)(?: (?:van |de |da |al-)?[A-Z][\w’-]*[^\W\d_](?<!'s)(?<!’s)){0,2})
    """,
    "PERSONAL": r"""
        (?:i|i'm|im|i've|ive|i'll|i'd|ill|id|we|we're|we've|we'll|we'd|he|she|they|he's|she's|hes|shes|they're|they've
        |he'll|she'll|they'll|it|it's|there's|there are|theres|that's|thats)
    """,
    "FINITE": r"""
        (?:'s|’s|'re|'ll|'d|is|isn't|isnt|are|aren't|was|wasn't|were|weren't|has|hasn't|have|haven't|had|does|doesn't
        |doesnt|do|don't|dont|did|didn't|can|can't|cant|cannot|could|will|won't|wont|would|should|must|might|needs?
        |wants?|likes?|loves?|hates?|prefers?|lives?|works?|comes?|goes|go|gets?|got|takes?|took|starts?|turns|moved
        |makes?|made|says|said|told|thinks|knows|uses|runs|plays?|teaches|drives|flies|eats|drinks|sleeps|wakes|arrives
        |leaves|left|moves|handles|keeps|kept|calls?|gave|gives|went|came|bought|sold|lost|won|broke|threw|quit|died
        |paid|sent|wrote|owns|speaks|studies|costs?|starts|ends|opens|closes|ate|grew|just|still|also|never|always
        |usually|already|only|(?!hundred|indeed)\w{3,}(?:ed|n't))
    """,
    "PAST": r"""
        (?:met|saw|told|found|heard|felt|held|led|let|put|set|cut|hit|thought|brought|began|ran|drove|flew|spent|chose
        |slept|woke|wore|taught|caught|fell|became|forgot|sat|stood|swam|sang|rode|built|swore|knew|done|been|texted)
    """,
    "NOUN_PHRASE": r"(?:my|our|his|her|their|the|this|these|those|your|both|all|one|an?) (?:[\w'’/-]+ ){1,4}?",
    "ASKS": r"""
        (?:what|what's|whats|where|where's|who|who's|how|how's|hows|why|which|whose|when(?:'s| is| are| do| does
        | should)|any (?:ideas?|tips?|chance|thoughts|suggestions?|advice|good|recs?)|thoughts|tips|ideas|is it|is that
        |is there|are there|do (?:i|you|we|they)|does (?:it|that|he|she|this)|did (?:i|you|we|he|she|they|it)
        |should (?:i|we|it)|shall (?:i|we)|can (?:i|we|it|that)|could (?:i|we|it)|would (?:it|that)|will (?:it|that|i
        |we)|am i|are we|have (?:i|we|you)|has (?:it|he|she)|may i|isn't|aren't|doesn't|wouldn't)
    """,
    "PLEASE": r"""
        (?:can|could|would|will|can't|wanna|mind) (?:you|u|ya)\b|would you mind|(?:i (?:was|am|'m)|i'm|i|was)(?: just
        | also| actually| really)* (?:wonder(?:ing)?|hoping)(?: if| whether| how| what| why| you|,)|(?:please|pls|plz
        |kindly) (?!no\b|never\b|always\b|don'?t\b|do not\b|stop\b|only\b)\w|help me|(?:i|i'd|i'm|im|we)(?: just| really
        | also)? (?:need|want|wanted|like|would like|looking for|after|wondering|trying)(?: you)?(?: to (?:write|make
        |know|draft|check|find|understand|see|figure|ask|get (?:an?|some) (?:idea|text|list|draft))
        | (?:some |your |a bit of |a little )?(?:help|advice|ideas|tips|input|inspiration|suggestions)| if| how| whether
        | (?:an?|the) (?:\w+ ){0,3}(?:text|message|letter|email|mail|draft|list|plan|recipe|reply|card|note|script
        |summary|name|title|caption|toast|speech|poster|word|idea|outline|template|reminder|post|menu|schedule
        |checklist))\b|let's (?:do|go|say|try|make|see|start|plan|keep|talk)|lets \w
    """,
    "TASK": r"""
        (?:write|make|give|tell|show|help|explain|suggest|recommend|find|check|fix|add|remove|delete|translate
        |summari[sz]e|rewrite|rephrase|shorten|proofread|convert|calculate|compare|create|generate|remind|search|try
        |read|send|do|let|rename|keep going|continue|pick|choose|sort|imagine|sum up|redo|regenerate|refactor|paste
        |include|describe|think|guess|say|ask|adjust|swap|replace|mention|implement|walk me|talk me|quiz|warn|get me
        |prepare|work out|figure out|google|expand|tweak|roast|(?:draft|list|plan|book|order|look|open|run|print|go|set
        |update|move|take|start|turn|split|format|review|test|build|commit|push|merge|deploy|install|copy|leave|skip
        |spell|name|drop|use|double|scale|sign|draw|code|debug|count|round|narrow|polish|tidy|schedule|cancel|sound
        |break|rank|rate|put|change|correct|mark|next)(?= (?:me|it|that|this|these|those|the|an?|him|her|them|us|my|our
        |up|out|to|for|all|some|any|with|in|on|each|every|one|two|three|\d|over|another|as|from|both|para\w*|step)\b))
    """,
    "ADJ": r"""
        (?:(?:older|younger|elder|little|big|oldest|youngest|eldest|late|new|old|former|best|good|dear|lovely|twin|other
        |step|favou?rite|middle|second|first|current|then|ex|own|beloved|amazing|upstairs|downstairs|next-door|direct
        |work|german|spanish|french|boss's|\d+[- ]year[- ]old) ){0,2}
    """,
}

# Words that announce a change.
CHANGES = (
    (
        "corrects",
        r"""
            \b(?:correction|wait,? no|no,? wait|i (?:meant|mean)|my mistake|my bad|i misspoke|i read the wrong
            |sorry,? (?:it's|its|not|the|i)|scratch that|not the \d|(?:it's|its|is|was) \w+(?: \w+)?,? not \w+|typo
            |wrong (?:date|day|name|number)|actually (?:it's|its|it is|the|no))\b
        """,
    ),
    (
        "ends",
        r"""
            \b(?:no longer|not any ?more|anymore|any more|stopped|quit|gave up|cancell?ed|called off|is off|it's off
            |trip's off|scrap|scrapped|forget (?:what i said|about|the)|no more|broke up|split up|sold|(?:can't|cannot
            |cant|won't|couldn't) (?:make it|come|attend)\b|got rid of|retired|passed away|died|ended|dropped out
            |fell through|isn't happening|not happening)\b
        """,
    ),
    (
        "replaces",
        r"""
            \b(?:now|these days|from now on|instead|moved to|moved|switched|changed|rescheduled|postponed|pushed (?:back
            |to)|brought forward|new|replaced|since (?:january|february|march|april|may|june|july|august|september
            |october|november|december|monday|last|the)|as of|turns out|upgraded|bumped|renamed|got moved)\b
        """,
    ),
)

# What is no longer so, and how it would be said if it were.
ENDINGS = (
    (
        r"\b(?:has |had |just |recently |finally |now )*(?:quit|quits|left|lost|resigned from|gave up)(?: both)?"
        r" (?:USER's|his|her|their) (?:old |current |day |full-time )?job\b.*",
        "is without a job",
    ),
    (r"\b(?:has |just |recently )*(?:got|gotten|was|been) (?:fired|laid off|sacked)\b.*", "is without a job"),
    (
        r"\b(?:has |had |just |recently |finally )*(?:handed in|gave in|turned in|submitted|gave)"
        r" (?:USER's|his|her|their) (?:two weeks' |month's )?(?:notice|resignation)\b.*",
        "is without a job",
    ),
    (r"\bno longer (\w+)", r"\1"),
    (r"\b(?:has |had |just |recently |finally )*(?:stopped|quit|quits|gave up|given up) being ", "is "),
    (r"\b(?:isn't|is not|aren't) (.*?),? any ?more\b", r"is \1"),
    (
        r"(?:'s| is)(?: actually| really)? not(?: actually| really)? (?={STATES}\b)| isn't(?: actually| really)? "
        r"(?={STATES}\b)",
        " is ",
    ),
    (r"\b(?:doesn't|don't|does not|do not) (\w+)\b(.*?),? any ?more\b", r"\1s\2"),
    (
        r"\b(?:has |just |recently )*(?:left|quit|resigned from|got fired from|was laid off from) (?!USER)(?={NAME})",
        "works at ",
    ),
    (
        r"^(?:USER's {ADJ}(?:{KIN}) )?({NAME}) and USER (?:have |has |just )*(?:broke up|broken up|split up|separated"
        r"|got divorced|divorced)",
        r"USER is dating \1",
    ),
    (
        r"^(?!The )(?:USER's {ADJ}(?:dog|cat|puppy|kitten|rabbit|bunny|hamster|horse|pony|parrot|pet|pup|tortoise) )?"
        r"({NAME}) (?:has |had |just )*(?:died|passed away|been put down|was put down)\b",
        r"USER has a pet called \1",
    ),
    (r"\b(?:has )?(?:just )?(?:stopped|quit|gave up) learning ", "is learning "),
    (r"\bmoved (?:out of|away from) ", "lives in "),
    (r"\b(?:has )?(?:stopped|quit|gave up) (?:taking|using|eating|drinking|playing) ", "uses "),
    (
        r"^(?:USER: we|USER) (?:have |has |had |just |finally |recently |also )*(?:sold|gave away|got rid of|traded in"
        r"|scrapped|donated|ditched) (?:the|USER's|our|an?) (?:old )?"
        r"(\S+(?: (?!(?:to|for|on|at|in|last|this|because|and|yesterday|today|now|so)\b)\S+){0,2}).*",
        r"USER owns a \1",
    ),
    (r"\b(?:has )?(?:just )?sold (?:the|USER's|his|her|an?) ", "owns a "),
)
