"""How people state things in English: the tables by which statements are read."""

from __future__ import annotations

from omoide.language.english_slots import KIN, NOT_NAMES, SLOTS
from omoide.language.statement_words import StatementWords

ENGLISH_STATEMENTS = StatementWords(
    macros={
        "SUBJECT": r"""
            USER(?:'s {ADJ}(?:{KIN})(?:,? {NAME},?)?)?|{NAME}(?:,? (?:USER's) (?:{KIN}),?)?
            |(?:the )?(?:{KIN})|he|she
        """,
        "NAME": r"""
            (?-i:[A-Z][\w'’-]*[^\W\d_](?<!'s)(?<!’s)(?: (?:van |de |da |al-)?[A-Z][\w’-]*[^\W\d_](?<!'s)(?<!’s)){0,2})
        """,
        "PERSONAL": r"""
            (?:i|i'm|im|i've|ive|i'll|i'd|ill|id|we|we're|we've|we'll|we'd|he|she|they|he's|she's|hes|shes|they're
            |they've|he'll|she'll|they'll|it|it's|there's|there are|theres|that's|thats)
        """,
        "FINITE": r"""
            (?:'s|’s|'re|'ll|'d|is|isn't|isnt|are|aren't|was|wasn't|were|weren't|has|hasn't|have|haven't|had|does
            |doesn't|doesnt|do|don't|dont|did|didn't|can|can't|cant|cannot|could|will|won't|wont|would|should|must
            |might|needs?|wants?|likes?|loves?|hates?|prefers?|lives?|works?|comes?|goes|go|gets?|got|takes?|took
            |starts?|turns|moved|makes?|made|says|said|told|thinks|knows|uses|runs|plays?|teaches|drives|flies|eats
            |drinks|sleeps|wakes|arrives|leaves|left|moves|handles|keeps|kept|calls?|gave|gives|went|came|bought|sold
            |lost|won|broke|threw|quit|died|paid|sent|wrote|owns|speaks|studies|costs?|starts|ends|opens|closes|ate
            |grew|just|still|also|never|always|usually|already|only|\w{3,}(?:ed|n't))
        """,
        "NOUN_PHRASE": r"(?:my|our|his|her|their|the|this|these|those|your|both|all|one|an?) (?:[\w'’/-]+ ){1,4}?",
        "ASKS": r"""
            (?:what|what's|whats|where|where's|who|who's|how|how's|hows|why|which|whose
            |when(?:'s| is| are| do| does| should)|any (?:ideas?|tips?|chance|thoughts|suggestions?|advice|good|recs?)
            |thoughts|tips|ideas|is it|is that|is there|are there|do (?:i|you|we|they)|does (?:it|that|he|she|this)
            |did (?:i|you|we|he|she|they|it)|should (?:i|we|it)|shall (?:i|we)|can (?:i|we|it|that)|could (?:i|we|it)
            |would (?:it|that)|will (?:it|that|i|we)|am i|are we|have (?:i|we|you)|has (?:it|he|she)|may i|isn't
            |aren't|doesn't|wouldn't)
        """,
        "PLEASE": r"""
            (?:can|could|would|will|can't|wanna|mind) (?:you|u|ya)\b|would you mind|(?:please|pls|plz|kindly) (?!no\b
            |never\b|always\b|don'?t\b|do not\b|stop\b|only\b)\w|help me|(?:i|i'd|i'm|im
            |we)(?: just| really| also)? (?:need|want|wanted|like|would like|looking for|after|wondering
            |trying)(?: you)?(?: to (?:write|make|know|draft|check|find|understand|see|figure|ask|get (?:an?
            |some) (?:idea|text|list|draft))| (?:some |your |a bit of |a little )?(?:help|advice|ideas|tips|input
            |inspiration|suggestions)| if| how| whether| (?:an?|the) (?:\w+ ){0,3}(?:text|message|letter|email|mail
            |draft|list|plan|recipe|reply|card|note|script|summary|name|title|caption|toast|speech|poster|word|idea
            |outline|template|reminder|post|menu|schedule|checklist))\b|let's (?:do|go|say|try|make|see|start|plan
            |keep|talk)|lets \w
        """,
        "TASK": r"""
            (?:write|draft|make|give|tell|show|help|explain|suggest|recommend|list|find|check|fix|add|put|change
            |remove|delete|translate|summari[sz]e|rewrite|rephrase|shorten|proofread|correct|convert|calculate|compare
            |create|generate|plan|remind|book|order|look|search|open|run|try|read|send|print|do|go|let|set|update
            |rename|move|take|keep going|start|continue|next|pick|choose|turn|split|sort|format|imagine|sum up|redo
            |regenerate|review|test|build|commit|push|merge|deploy|install|refactor|paste|copy|include|leave|skip
            |spell|describe|name|think|guess|say|ask|drop|use|adjust|double|scale|swap|replace|mention|sign|draw|code
            |debug|implement|walk me|talk me|quiz|warn|get me|count|round|narrow|polish|tidy|prepare|schedule|cancel
            |work out|figure out|sound|break|google|rank|rate|expand|tweak)
        """,
        "ADJ": r"""
            (?:(?:older|younger|elder|little|big|oldest|youngest|eldest|late|new|old|former|best|good|dear|lovely|twin
            |other|step|favou?rite|middle|second|first|current|then|ex|own|beloved|amazing|upstairs|downstairs
            |next-door|direct|work|german|spanish|french|boss's|\d+[- ]year[- ]old) ){0,2}
        """,
    },
    gaps=r"""
        \s*;\s*|\s+[-–—]{1,2}\s+|\s*—\s*|\s*(?:\.{2,}|…)\s+|,?\s+(?:and|plus|and also|oh and|and yes
        |or)\s+(?={PERSONAL}\b|{NOUN_PHRASE}{FINITE}\b|{NAME} {FINITE}\b|{NAME}(?:'s|’s) \w|(?:what|how|where|who|why
        |should|{PLEASE})\b)|,\s*(?:but |so |and |then |also |plus |btw,? |oh and )?(?={ASKS}\b|{PLEASE}|{TASK} (?:me
        |it|that|this|the|an?|him|her|them|us|my|up|out)\b)
        |,\s*(?:also |plus |btw,? |by the way,? |oh and )?(?={PERSONAL}\b|{NOUN_PHRASE}{FINITE}\b|{NAME} {FINITE}\b
        |(?:never|always|please|don't|no need)\b)|\s+(?:so|but)\s+(?={ASKS}\b|{PLEASE})
    """,
    openings=r"""
        (?:(?:ok(?:ay)?|oh|so|well|and|also|btw|by the way|fyi|but|anyway|anyways|hey|hi|hello|yeah|yes|yep|no|nope
        |nah|right|cool|great|nice|perfect|lovely|thanks|thank you|thx|ty|tysm|ah|haha+|lol|wait|actually|honestly|tbh
        |plus|then|update|correction|sorry|hm+|um+|uh|just so you know|for context|for the record|for what it's worth
        |fun fact|fwiw|good morning|good evening|morning|evening|good|fine|grand|sure|exactly|true|now|one more thing
        |another thing|quick one|heads up|side note|random|alright|omg|ugh|wow|adding|as you know|like i said|remember
        |note|btw also|ps|p\.s\.|in case it matters|to be fair|to be honest|turns out|it turns out|the thing is
        |you should know(?: that)?|i should (?:mention|say|add)(?: that)?|i forgot to (?:mention|say)(?: that)?
        |did i mention(?: that)?|don't forget(?: that)?|keep in mind(?: that)?|please (?:remember|note)(?: that)?
        |remember that|note that|good news|bad news|news|yay|phew|bro|dude|man|mate|dear|love|scratch that|no wait
        |wait no|funnily enough|luckily|sadly|unfortunately|obviously|basically|speaking of which)(?:\s*[,:!.…–—-]+\s*
        |\s+))+(?=\S)
    """,
    closings=r"""
        [,\s]+(?:btw|by the way|fyi|thanks|thank you|thx|ty|pls|please|lol|haha+|ha ha|hehe|xd|though|too|you know|ok
        |okay|right|anyway|:\)|;\)|:D|🙂|😊|😅|😂)\W*$
    """,
    dependent=r"""
        (?:it|it's|its|that|that's|thats|this|these|those|they|they're|theyre|they've|which|there|both|same
        |one of them|not|or|because|cos|cause|and|but|so)\b
    """,
    questions=r"(?:(?:and|so|but|or|also|ok|oh) )*{ASKS}\b",
    tags=r"""
        ,? (?:right|correct|yeah|no|eh|innit|isn't it|is it|don't you|doesn't (?:he|she|it)|aren't (?:they|you|we)
        |or not|or no|or what|yes)\W*$
    """,
    requests="(?:(?:and|so|but|or|also|then|maybe|ok|just|now) )*(?:{PLEASE})",
    tasks=r"""
        (?:(?:and|so|but|or|also|then|maybe|ok|just|now|please|pls) )*(?:{TASK})\b(?!'s|,| (?:is|are|was|were|has|goes
        |of|in the|costs?)\b)
    """,
    standing=r"""
        \b(?:never|always|from now on|in future|in the future|going forward|whenever|every time|each time|any ?time
        |at all times|by default|don't ever|do not ever|for (?:all|any|every|future)|unless i|when (?:you|i ask|i say
        |writing|you're|it comes)|if i (?:ask|say|forget)|if you (?:write|send|book|make|have to|must|ever)|with me
        |to me|as a rule|at least|no more than|at most|only ever|stop (?:using|saying|asking|calling|adding|writing
        |suggesting|giving)|i prefer|i like it|i hate it|not american|not british|only|exclusively|without asking
        |instead of|rather than|ever again|anymore|any more|for me)\b
    """,
    standing_starts=r"""
        (?:please |pls |also |and |but |oh and |btw |ok |so |just )*(?:never|always|from now on|in future
        |going forward|whenever you|every time you|no (?!one\b|idea|worries|problem|need|rush|thanks|way\b|wonder|clue
        |luck|longer\b|more\b|it\b|i\b|he\b|she\b|we\b|that\b|not\b|matter\b|doubt|pressure|kidding|joke)\w+(?: \w+)?
        |don't (?!worry|know|think|have|need|want|get me wrong|you|we|they|i\b|mind|like|really|even|care|judge|laugh
        |tell)|dont (?!worry|know|think|have|need|want|get me wrong|you|we|they|i\b|mind|like|really|even|care)
        |do not (?!worry|know|have|need|want)|stop \w+ing|keep (?:it|your|the|all|answers?|replies|responses?
        |messages?|everything|things|code|commits?)|call me (?!back|later|crazy|when|if|at|on|tomorrow)|address me
        |refer to me|speak to me|talk to me|(?:metric|celsius|grams|imperial|euros|british|american|bullet points?
        |plain text|lower ?case|short answers?)\b.{0,25}\b(?:only|please|pls|always)|only (?:use|metric|send|write
        |ever|give|suggest|in)|use (?:only |always )?\S+(?: \S+){0,3},? (?:not|never|instead of|rather than) )
    """,
    wants=r"""
        (?:i|i'd|we|we'd)(?: would| do| really| just| always)* (?:want|like|need|prefer|rather|love
        |expect)(?: it(?: if)?)? (?:you to|you not|you never|you always|you (?!to\b)\w+|if you|that you|everything|all
        |answers|replies|your|my (?:answers|code|emails|replies|recipes|summaries))\b
    """,
    supposed=r"""
        (?:(?:and|so|but|or|well|then|yeah|even|only|also|maybe|oh|ok) )*(?:if (?:i|we|he|she|they|it|you|my \w+
        |the \w+|only)(?:'d| were| was| had| ever| could| won| didn't have| lived| was to| should)\b|imagine|suppose
        |supposing|pretend|hypothetically|what if|let'?s (?:say|assume|imagine|suppose|pretend)|say (?:i|i'm|we|you|he
        |my)\b|assuming|in an ideal world|in another life|in theory|as if|as though|were i\b|had i\b|one day (?:i'll
        |ill|i|we|we'll)|someday|some day|when i(?:'m| am) (?:rich|old|famous|retired|dead|president|king|queen
        |a millionaire)|if (?:i|we) (?:win|retire|get rich))
    """,
    supposing=r"""
        \bif\b.*\b(?:would|wouldn't|i'd|we'd|they'd|he'd|she'd|it'd|theyd|id)\b|\b(?:would|i'd|we'd|he'd|she'd
        |they'd)\b.*\bif (?:i|we|he|she|they|it|you)\b|\b(?:would have|would've|could have|could've|should have
        |should've|might have|nearly|almost) \w+|\b(?:i|we) could (?:also )?(?:just )?(?:live|move|quit|become|marry
        |eat)\b
    """,
    wishes=r"""
        \b(?:i wish|wish i|if only|i(?:'d| would) (?:love|kill|die|give anything|like) to|i dream of|i hope|hopefully
        |fingers crossed|would be (?:nice|great|cool|lovely|fun)|i'd be (?:nice|great)|i keep dreaming|i fantasi[sz]e
        |maybe i(?:'ll| should| could)|i might as well|thinking of becoming|tempted to)\b
    """,
    reported=r"""
        \b(?:says|say|said|claims?|claimed|reckons?|thinks|thought (?:i|it|we|that)|believes|insists?|swears|argues
        |assumes|jokes|joked|told (?:me|us|him|her|everyone)|keeps? (?:saying|telling|asking)|asked (?:me|if)|wrote
        |replied|shouted|texted that|according to|apparently|supposedly|allegedly|rumou?r|i(?:'ve)? (?:read
        |heard) (?:that|somewhere|it|on)|they say|people say|everyone says|used to say|the (?:ad|article|label|post
        |tweet|headline|brochure|website|internet|forum|guy on|internet|movie|book|show|podcast|horoscope
        |fortune cookie) (?:says|said|claims|claimed|promises)|calls (?:me|us|it|him|her)|called me|supposed to be the
        |as (?:he|she|they) put it|in (?:his|her|their) words|quote)\b
    """,
    trusted=r"""
        \b(?:doctor|doc|dr\.? \w+|gp|vet|dentist|therapist|physio|nurse|midwife|pharmacist|surgeon|specialist
        |cardiologist|landlord|boss|manager|school|teacher|hospital|clinic|lawyer|accountant|tax office|airline|bank
        |hr|coach|consultant|i) (?:\w+ )?(?:says?|said|told|thinks|insists|wants|confirmed|texted|wrote)\b
        |\bas i (?:said|mentioned)|\bi (?:told|said|already)|\b(?:just )?(?:texted|wrote|called|emailed)\b
    """,
    jokes=r"""
        (?:^|\s)/s\b|\b(?:just kidding|only kidding|kidding aside|j/?k\b|yeah,? right|aye right|as if\b|oh sure
        |sure,? because|just joking|only joking|i'm joking|im joking|i joke|said no one ever|april fools|very romantic
        |what could go wrong|living the dream)\b|🙄|🤡|😏|🙃|\bNOT!\s*$|\b(?:i'm|im
        |i am) (?:basically |literally |practically |now |officially |clearly |obviously )+(?:an?|the) (?:god|goddess
        |king|queen|genius|legend|monster|robot|ninja|superhero|zombie|ghost|saint|vampire|potato|wizard)|\b(?:marry
        |divorce|sue|murder|kill|strangle|burn|haunt|adopt) (?:me|him|her|them|you|it|myself|everything)\b|\b(?:a
        |one) (?:million|billion|thousand) (?:times|years)\b|\bin a past life\b|\bworld domination\b
        |\bover my dead body\b
    """,
    laughs=r"\b(?:lol|lmao|rofl|haha+|ha ha+|hehe+|hah|xd)\b|😂|🤣|😜|😝|😅|;\)|;-\)",
    absurd=r"""
        \b(?:would|if|i'd|she'd|he'd|they'd|when i'm|one day|king|queen|president|million\w*|billion\w*|rich|retire
        |aliens?|spy|spies|ghosts?|magic\w*|wizards?|nasa|mafia|dragons?|unicorns?|forever|never sleep|moon|mars|jail
        |prison|fired|disown\w*|basically|literally|drunk|toddler|conspiracy|poison|immortal|sell (?:the|my) (?:kids?
        |house|kidney)|kidney|quit(?:ting)? (?:my|everything|life)|run away|move to (?:a|an) (?:cave|island|forest)
        |join(?:ing)? (?:the|a) circus|monkeys?|haunted|cursed)\b
    """,
    retractions=r"""
        (?:just kidding|only kidding|kidding|jk|j/k|just joking|joking|i'm joking|i'm kidding|not really
        |nah,? (?:just )?kidding|i wish)\b
    """,
    fiction=r"""
        \b(?:write|tell|continue|start|finish|make up|compose|brainstorm|help me with|working on|outline|invent
        |give me)\b.{0,60}\b(?:stor(?:y|ies)|poem|novel|haiku|limerick|song|lyrics|scene|screenplay|fanfic|fairy ?tale
        |sonnet|fable|chapter|dialogue|monologue|villain|plot|skit|sketch|rap|ballad|short story|bedtime story|sci-fi
        |horror)\b|\b(?:in|for|inside) (?:my|the|this|our|a|his|her) (?:[\w-]+ ){0,2}(?:novel|stor(?:y|ies)|book
        |screenplay|game|campaign|dream|nightmare|movie|film|play|fanfic|chapter|d&d|dnd|rpg|skit|sketch|comic|series
        |musical)\b(?=\s*(?:[,:;]|$|i\b|i'm|my\b|he\b|she\b|the\b|there\b|it\b|we\b|is\b|everyone|people|nobody|an?\b
        |has\b|lives\b|where\b|about\b|called\b))|\b(?:my|the|our|main) (?:character|protagonist|narrator|hero|heroine
        |villain|paladin|rogue|wizard|sorcerer|bard|cleric|druid|half-orc|tiefling|dungeon master|npc)(?:'s)?\b
        |\bonce upon a time\b|\bi (?:dreamt|dreamed)\b|\bhad (?:a|this|the) (?:\w+ )?(?:dream|nightmare)\b
        |\bfictional\b|\bfor (?:the sake of|an) (?:argument|example)\b|\bhypothetical(?:ly)?\b|\bthought experiment\b
        |\bin (?:minecraft|skyrim|the sims|stardew valley|animal crossing|zelda|elden ring|baldur's gate|cyberpunk
        |crusader kings|civ|rimworld|dwarf fortress)\b|\b(?:write|draft|compose)\b.{0,30}\b(?:as
        |from the (?:point of view|perspective) of|in the voice of|like) (?:a|an|my|the|if)\b
    """,
    role_play=r"""
        \b(?:role.?play|pretend (?:to be|you|you're|i'm|i am|we|that|it's|this)|act as|act like
        |you are (?:now )?(?:an?|the|my) (?!assistant\b|lifesaver|star\b|legend|gem|genius|angel|hero|god|best
        |godsend)[\w ]{2,30}(?:[.,:]| and\b| who\b)|you're (?:now )?(?:an?|the) (?:\w+ ){0,2}(?:interviewer|detective
        |pirate|recruiter|customer|patient|teacher|king|queen|knight|wizard|dragon|waiter|shopkeeper|examiner|judge
        |villain|captain|bartender|guard|alien|robot|vampire)|i'?ll (?:be|play) (?:an?|the)|i'?m playing (?:an?|the)
        |let's play|play the (?:role|part)|in character|stay in character|mock interview)\b
    """,
    role_over=r"""
        \b(?:end of (?:the )?(?:game|role.?play|story|scene)|back to (?:reality|real life|normal|business|me|work
        |the real)|game over|out of character|ooc|stop (?:pretending|role.?playing|playing|the (?:game|role.?play
        |act))|(?:done|finished|enough) (?:pretending|role.?playing|playing|with the)|in real life|irl|for real
        |real talk|seriously|joking aside|ok(?:ay)? (?:stop|done|enough|real)|anyway|on a real note|real question
        |scene over|end scene|back to)\b
    """,
    dictated=r"""
        \b(?:translate|proofread|paraphrase|rephrase|reword|rewrite|summari[sz]e|edit|correct|improve|shorten|polish
        |check|review|fix|explain)\b.{0,60}(?::|\bthis\b|\bfollowing\b|\bbelow\b)\W*$|\b(?:says|said|wrote|writes
        |reads|goes|replied|answered|like this|as follows|here(?:'s| is) (?:the|what|my|his|her|their|a|an)\b.{0,40}
        |text|message|email|mail|letter|post|ad|review|draft|quote|lyrics|transcript|log|error|output|headline|caption
        |prompt|template|bio)\s*:\s*\S?
    """,
    unkept=r"""
        \b(?:don'?t|do not|please don'?t|no need to) (?:remember|save|store|keep|note|memori[sz]e) (?:this|that
        |any of this|it|what i)\b|\boff the record\b|\bforget (?:i|that i) (?:said|told)\b
    """,
    hedges=r"""
        \b(?:maybe|perhaps|possibly|probably|might|not sure|unsure|i think|i guess|i suppose|kinda|sort of|could be
        |thinking (?:of|about)|considering|toying with|no idea|who knows|dunno|or something)\b
    """,
    small_talk=r"""
        \W*(?:(?:thanks?|thank you|thx|ty|tysm|cheers|great|perfect|cool|nice|lovely|ok(?:ay)?|yes|no|yep|nope|good
        |fine|awesome|brilliant|hi|hello|hey|bye|night|good (?:night|morning|evening|day|idea|point|one)|see you|later
        |haha+|lol|wow|sure|got it|makes sense|sounds good|exactly|love it|done|so much|very much|a lot|that's (?:it
        |all|great|perfect|good|fine|helpful)|will do|no worries|np|ah|oh|again|then|for now|works|it works|it worked
        |that worked|green|noted|right|please|go ahead|go on|all good|you too|amazing|wonderful|super|sweet
        |fair enough|same|me too|i see|mate|dear|bro|yay|fire|grand|talk soon|ttyl|that works|works for me|happy to
        |anyway|next)\W*)+
    """,
    pronouns=(
        (r"\b(?:my|our) own\b", "USERS own"),
        (r"\b(?:i'm|im|i am|i'm)(?= |$|,|\.)", "USER is"),
        (r"\b(?:i've|ive|i have)\b", "USER has"),
        (r"\bi haven'?t\b", "USER hasn't"),
        (r"\bi(?:'d|d| had) better\b", "USER had better"),
        (r"\b(?:i'd|id)(?= (?:\w+ly )?(?:rather|prefer|like|love|be|go|say|want|never|have)\b)", "USER would"),
        (r"\bi'd\b", "USER had"),
        (r"\bi'll\b", "USER will"),
        (r"\bi don'?t\b", "USER doesn't"),
        (r"\bi do(?= not\b)", "USER does"),
        (r"\bi do\b", "USER does"),
        (r"\b(and|or|than|with|between) i\b", r"\1 USER"),
        (r"\bi and\b", "USER and"),
        (r"\b(?:my|our)\b", "USERS"),
        (r"\b(?:mine|ours)\b", "USERS"),
        (r"\bme\b", "USER"),
        (r"\bmyself\b", "themself"),
    ),
    agreeing=r"""
        (?<!\w)i (?P<adverbs>(?:(?:just|also|really|still|always|never|usually|only|actually|already|often|sometimes
        |currently|now|recently|finally|mostly|normally|generally|literally|totally|absolutely|kinda|mainly|rarely
        |hardly|barely|basically|definitely|probably|honestly|do|even|first|then|once|both|either
        |\w+ly) )*)(?P<verb>[\w'’]+)
    """,
    unchanged_verbs="""
        can can't cant cannot could couldn't will won't wont would wouldn't should shouldn't must mustn't might may
        shall didn't didnt did had hadn't was wasn't went got bought came saw said told took made gave knew thought
        found left felt brought kept began ran wrote read ate drank drove flew sold sent spent met paid lost won broke
        chose grew slept woke wore taught caught fell heard held led let put quit set cut hit hurt shut cost threw
        understood became forgot sat stood swam sang rode rose built burnt learnt dreamt bet split spread shot stuck
        swore tore used were isn't ain't not and or to who 'm 'd 'll 've have've dealt meant lent hid bit hung dug
        froze fed bred
    """,
    verb_forms=(
        ("^(?:have|ve)$", "has"),
        ("^haven't$", "hasn't"),
        ("^do$", "does"),
        ("^don'?t$", "doesn't"),
        ("^am$", "is"),
        ("^go$", "goes"),
        ("^(need|feed|bleed|speed|breed|succeed|proceed|exceed|embed|shed|wed)$", r"\1s"),
        (r"^(\w{2,}ed)$", r"\1"),
        (r"^(\w*(?:s|x|z|ch|sh))$", r"\1es"),
        (r"^(\w*[^aeiou\W])y$", r"\1ies"),
        (r"^(\w+)$", r"\1s"),
    ),
    quoted_subjects=r"\b(?:we|we're|we've|we'll|we'd|were all|us|ourselves|let's|lets)\b",
    has_subject=r"""
        (?:(?:because|since|when|while|if|after|before|as|although|though|for|in|on|at|from|until|till
        |by) .{3,60}?,? )?(?:{PERSONAL}\b|USER|(?:my|our|his|her|their|the|this|these|those|both|all|every|each|one
        |an?|two|three|there|some|most|everyone|nobody|dr\.?|mr\.?|mrs\.?|ms\.?) ?\S|{NAME}|\w+(?: \w+){0,3} (?:is|are
        |was|were|has|goes|go|costs?|starts?|moved|got moved|comes?|works?|lives?|needs?|will|gets?)\b
        |\w+(?: \w+){0,2}'s \w)
    """,
    second_person=("you ", "you're", "your ", "u "),
    names="{NAME}",
    kin_named=(
        r"""
            \b(?P<whose>my|our|his|her|their) {ADJ}(?P<kin>{KIN})(?: is|'s|’s)? ?(?:,|\(|called|named|is called
            |is named|’s name is|'s name is|-)? ?(?P<name>{NAME})(?!\w)
        """,
        r"""
            (?<!\w)(?P<name>{NAME})(?:,| \(|,? who(?:'s| is)| is|'s|’s)(?: now| also| actually)? (?P<whose>my
            |our) {ADJ}(?P<kin>{KIN})\b
        """,
        r"(?<!\w)(?P<name>{NAME}), (?P<whose>my|our) {ADJ}(?P<kin>{KIN})\b",
        r"(?<!\w)(?P<name>{NAME})\b[^.!?]{0,40}, that's (?P<whose>my|our) {ADJ}(?P<kin>{KIN})\b",
        r"""
            \b(?P<kin>aunt|auntie|uncle|cousin|grandma|grandpa|nana|nan|oma|opa|abuela|abuelo) (?P<name>{NAME})
        """,
    ),
    kin_alone=r"\b(?P<whose>my|our) {ADJ}(?P<kin>{KIN})\b(?! and (?:i|my)\b)(?!-)",
    persons=r"""
        (?<!\w)(?P<name>(?:(?-i:Dr|Mr|Mrs|Ms|Prof)\.? )?{NAME})(?:,? who| (?:says|said|told|thinks|texted|called|wants
        |likes|loves|hates|prefers|is coming|is visiting|lives|works|moved to|moved back|got married|had a baby
        |turns \d+|is \d+|can't eat|is allergic|is vegan|is vegetarian|wrote|asked|plays|reckons|just (?:told|texted
        |called|had|quit|got)|is pregnant|broke up|is my|and i\b)|'s (?:birthday|bday|wedding|mom|mum|dad|husband|wife
        |kids?|partner|phone|place|coming|vegan|vegetarian|allergic|moving|leaving|pregnant|my|our|new job|back
        |getting|turning)\b)
    """,
    he_she={
        "he": "m",
        "he's": "m",
        "hes": "m",
        "he'll": "m",
        "he'd": "m",
        "his": "m",
        "him": "m",
        "she": "f",
        "she's": "f",
        "shes": "f",
        "she'll": "f",
        "she'd": "f",
        "her": "f",
    },
    not_names=NOT_NAMES,
    plans=r"""
        \b(?:(?:is|are|'s|'re|'m|am|was|were)(?: \w+)? going to|will|'ll|gonna|planning|plan to|plans to|booked
        |book(?:ing)?|flying|flies|fly|leaving|leaves|arriv\w+|coming|visiting|moving|starts?|starting|appointment
        |interview|exam|wedding|deadline|due|meeting|flight|trip|concert|conference|party|surgery|checkup|check-up
        |viewing|trial|race|marathon|recital|holiday|vacation|scheduled|moved to|rescheduled|cancell?ed|postponed
        |delivery|delivered|reservation|tickets?)\b
    """,
    events=r"""
        \b(?:happened|died|passed away|was born|got (?:married|engaged|divorced|fired|laid off|promoted|hired|the job
        |a job|into|back|hit|sick|stolen)|broke|crashed|lost|won|moved|bought|sold|finished|started|quit|left|met
        |visited|went|came|had|saw|gave|took|passed|failed|graduated|retired|adopted|signed|paid|threw|fell|ran|made
        |ordered|arrived)\b
    """,
    preferences=r"""
        \b(?:love|loves|like|likes|hate|hates|prefer|prefers|enjoy|enjoys|adore|adores|dislike|dislikes|can't stand
        |cant stand|favou?rite|fave|not a fan|big fan|huge fan|fan of|into|obsessed with|crazy about|mad about
        |allergic to fun|rather have|i'd rather|would rather|swear by|go-to|keen on|fond of|sick of|avoid|avoids
        |never eat|only (?:eat|drink|wear|buy|use|read|watch|listen))\b
    """,
    opinions=r"""
        \b(?:i think|i believe|in my opinion|imo|imho|i find|i feel like|i'd say|overrated|underrated|the best
        |the worst|is (?:way )?too (?:\w+)|is (?:boring|great|terrible|awful|brilliant|ugly|beautiful|stupid|pointless
        |gorgeous|rubbish|amazing|overpriced))\b
    """,
    procedures=r"""
        \b(?:first|step \d|to (?:deploy|restart|reset|release|make|bake|start|open|build|publish|fix|clean|feed
        |run)\b.{0,80}\b(?:then|and|you)|and then you|then (?:you|i|we|run|wait|push|press|add|let|bake|put|turn|take
        |open|do)|you (?:push|press|run|hold|turn|first|have to|need to)|after that|before (?:doing|you|deploying
        |merging|baking))\b|->|→
    """,
    sequence=r"""
        \s*(?:->|→|;|,?\s*\b(?:and )?then\b,?|,?\s*\bafter that\b,?|\n\s*(?:\d+[.)]|[-*•])|\b(?:first|second|third
        |finally|lastly)\b,?)\s*
    """,
    exceptions=r"""
        \b(?:except(?: for| in| when| if)?|unless|but not (?:for|in|when)|not for|apart from|other than
        |outside of)\s+(?P<exception>[^,.;]+)
    """,
    scopes=r"""
        \b(?:when(?:ever)? (?:you |i |we )?|for|in|with|on)\s*(?P<scope>(?:writ\w+|reply\w*|answer\w*|book\w*|cod\w+
        |commit\w*|deploy\w*|review\w*|cook\w*|translat\w+|emails?|recipes?|code|scripts?|messages?|letters?|texts?
        |answers?|replies|summar\w+|repos?|docs?|tests?|meetings?|prs?|pull requests?|travel\w*|hotels?|restaurants?
        |flights?|gifts?|calls?|python|sql|french|german|english)[\w' ]{0,30})
    """,
    changes=(
        (
            "corrects",
            r"""
                \b(?:correction|wait,? no|no,? wait|i (?:meant|mean)|my mistake|my bad|i misspoke|i read the wrong
                |sorry,? (?:it's|its|not|the|i)|scratch that|not the \d|(?:it's|its|is|was) \w+(?: \w+)?,? not \w+
                |typo|wrong (?:date|day|name|number)|actually (?:it's|its|it is|the|no))\b
            """,
        ),
        (
            "ends",
            r"""
                \b(?:no longer|not any ?more|anymore|any more|stopped|quit|gave up|cancell?ed|called off|is off
                |it's off|trip's off|scrap|scrapped|forget (?:what i said|about|the)|no more|broke up|split up|sold
                |got rid of|retired|passed away|died|ended|dropped out|fell through|isn't happening|not happening)\b
            """,
        ),
        (
            "replaces",
            r"""
                \b(?:now|these days|from now on|instead|moved to|moved|switched|changed|rescheduled|postponed
                |pushed (?:back|to)|brought forward|new|replaced|since (?:january|february|march|april|may|june|july
                |august|september|october|november|december|monday|last|the)|as of|turns out|upgraded|bumped|renamed
                |got moved)\b
            """,
        ),
    ),
    lasting=r"""
        \b(?:always|never|every|each|usually|normally|generally|most days|weekly|daily|on (?:mon|tues|wednes|thurs|fri
        |satur|sun)days|since|for (?:\d+|two|three|five|ten|many|about) years|at home|by default|rule)\b
    """,
    future=r"""
        \b(?:will|'ll|going to|gonna|tomorrow|next|tonight|upcoming|soon|in \w+ (?:days|weeks|months)|due|deadline
        |starts|starting|flying|flies|fly|leaving|leaves|coming|arriving|planned|booked|appointment|turns|on the \d
        |is on|are on|'s on|by (?:monday|friday|the|end)|until|till|expires?|from \w+ to)\b
    """,
    past=r"""
        \b(?:was|were|did|had|went|got|came|bought|moved|started|yesterday|last|ago|since|back in|used to|\w+ed|born
        |died|left|met|lost|won|saw|took|made|gave|broke|threw|found|sold|quit)\b
    """,
    recurring=r"""
        \b(?:every|each|most|all) (?:other |second |single )?$|(?:mon|tues|wednes|thurs|fri|satur|sun)days\b|(?:daily
        |weekly|monthly|yearly|annually)$
    """,
    undated=r"""
        \W*(?:now|right now|just now|recently|lately|these days|nowadays|currently|at the moment|for now|soon|later
        |before|after|ago|once|then|early|late|so far|always|past|the past|last time|next time|this time|at night
        |in the morning|in the evening|in the afternoon|mornings?|evenings?|nights?|the day|day|noon|midnight|lunch
        |dinner|at lunch|at home)\W*
    """,
    matter_ignored="""
        is are was were be been being am has have had do does did will would can could should may might must shall not
        no never now new old still also just really very too again already only even back away here there this that
        these those it its he she they them him her his their we us our you your i me my mine user users the a an of
        in on at to for from with by as and or but so if when then than because since until before after about into
        over under up down out off more most some any all both each every other another same own one two three four
        five six seven eight nine ten first second last next today tomorrow yesterday tonight week month year day
        morning evening afternoon night monday tuesday wednesday thursday friday saturday sunday january february
        march april june july august september october november december am pm o'clock s t re ll ve d m changed moved
        switched instead longer anymore cancelled canceled scrap scrapped called name named get got gets getting go
        goes going come comes coming make makes made take takes took thing things stuff actually correction wait
        please want wants need needs like likes please
    """,
    matter_generic="""
        appointment meeting trip visit date event flight call session class lesson party booking reservation thing
        plan
    """,
    kin=KIN,
    slots=SLOTS,
)
