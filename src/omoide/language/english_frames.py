"""English: jokes, stories, roles and dictated texts, by the words that begin and end them."""

from __future__ import annotations

JOKES = r"""
    , not\W*$|,? (?:only |just )?kidding\W*$|^\W*(?:yes,? yes|oh,? yes|oh,? sure|yeah,? sure|sure,? sure|oh,? absolutely
    |oh,? joy)\b|\b(?:so |really |just |absolutely |simply |totally )?(?:love|loves|enjoy|enjoys|adore|adores|loving
    |enjoying) (?:being (?:ignored|told|valued|woken|yelled|shouted|late|broke|sick|on call)|paying|waiting|queu\w+
    |getting (?:told|woken|yelled|up at)|having to|sitting in traffic)\b|\b(?:absolute|pure|sheer) (?:paradise|heaven
    |bliss|joy|magic|luxury)\b|\bof course (?:very|so|totally|perfectly|absolutely)\b
    |^\W*(?:oh,? |wow,? |well,? )?(?:great|fantastic|wonderful|lovely|perfect|brilliant|yay|joy
    |awesome)[,!. ]+(?:another|yet another|more|just what)\b|\bmy life is complete\b|\bjust what (?:i|we) needed\b
    |\bso thrilled\b|\bshocking\W*$|\blove that for (?:me|us)\b|\bhow lovely\b|(?:^|\s)/s\b|\b(?:just kidding
    |only kidding|kidding aside|j/?k\b|yeah,? right|aye right|as if\b|oh sure|sure,? because|just joking|only joking
    |i'm joking|im joking|i joke|said no one ever|april fools|very romantic|what could go wrong|living the dream)\b
    |🙄|🤡|😏|🙃|\bNOT!\s*$
    |\b(?:i'm|im|i am) (?:basically |literally |practically |now |officially |clearly |obviously )+(?:an?
    |the) (?:god|goddess|king|queen|genius|legend|monster|robot|ninja|superhero|zombie|ghost|saint|vampire|potato
    |wizard)|\b(?:marry|divorce|sue|murder|kill|strangle|burn|haunt|adopt) (?:me|him|her|them|you|it|myself
    |everything)\b|\b(?:a|one) (?:million|billion|thousand) (?:times|years)\b|\bin a past life\b|\bworld domination\b
    |\bover my dead body\b|\bnothing (?:gets|says|beats|makes) .{0,40}\blike\b|\bcan't get enough of (?:it|them|those
    |these)\b|\b(?:simply|positively) (?:love|adore|live for)\b|\bso \w+(?: that)? (?:i|he|she|they|we|you|it) (?:could
    |can|would|might|may as well)\b
"""

FICTION = r"""
    \b(?:write|tell|continue|start|finish|make up|compose|brainstorm|help me with|working on|outline|invent
    |give me)\b.{0,60}\b(?:stor(?:y|ies)|poem|novel|haiku|limerick|song|lyrics|scene|screenplay|fanfic|fairy ?tale
    |sonnet|fable|chapter|dialogue|monologue|villain|plot|skit|sketch|rap|ballad|short story|bedtime story|sci-fi
    |horror)\b|\b(?:in|for|inside) (?:my|the|this|our|his|her) (?:[\w-]+ ){0,2}(?:novel|stor(?:y|ies)|book|screenplay
    |game|campaign|dream|nightmare|movie|film|play|fanfic|chapter|d&d|dnd|rpg|skit|sketch|comic|series
    |musical)\b(?=\s*(?:[,:;]|$|i\b|i'm|my\b|he\b|she\b|the\b|there\b|it\b|we\b|is\b|everyone|people|nobody|an?\b|has\b
    |lives\b|where\b|about\b|called\b))|\bnarrator\b|\blogline\b|\b(?:my|the|our|main) (?:character|protagonist|narrator
    |hero|heroine|villain|paladin|rogue|wizard|sorcerer|bard|cleric|druid|half-orc|tiefling|dungeon master|npc)(?:'s)?\b
    |\bonce upon a time\b|\bi (?:dreamt|dreamed)\b|\bhad (?:a|this|the) (?:\w+ )?(?:dream|nightmare)\b|\bfictional\b
    |\b(?:dm-?ing|gm-?ing)\b|\b(?:story|fairy ?tale|poem|comic|sketch|skit)\s*:|\b(?:our|the|that|this|my) (?:story|tale
    |novel|campaign|fairy ?tale)\b.{0,12}$|\bfor (?:the sake of|an) (?:argument|example)\b|\bhypothetical(?:ly)?\b
    |\bthought experiment\b|\bin (?:minecraft|skyrim|the sims|stardew valley|animal crossing|zelda|elden ring
    |baldur's gate|cyberpunk|crusader kings|civ|rimworld|dwarf fortress)\b|\b(?:write|draft|compose)\b.{0,30}\b(?:as
    |from the (?:point of view|perspective) of|in the voice of|like) (?:a|an|my|the|if)\b
"""

BELONGS = r"""
    \b(?:that's|that was|that is|it's|this is|those are|thats)(?: all| just)? (?:for|from|in|part of) (?:an?|my|the|our
    |his|her|this) (?:[\w-]+ ){0,2}(?:sketch|story|stories|novel|book|film|movie|play|song|game|campaign|dream|comic
    |skit|show|series|joke|poem|script)\b
"""

ROLE_PLAY = r"""
    (?:^\W*(?:\w+ ){0,2}|\b(?:i'm|im|i am|this is|me|here|typing|writing|texting) (?:\w+ ){0,2})(?:on|using|from
    |borrow\w*) (?:his|her|dad's|mum's|mom's|{NAME}'s|my (?:wife|husband|mum|mom|dad|son|daughter|brother
    |sister)'s) (?:phone|account|laptop|ipad|tablet|computer)\b|\b{NAME}'s (?:husband|wife|son|daughter|mum|mom|dad
    |brother|sister|partner) here\b|\btyping (?:this )?for\b|\b(?:role.?play|pretend (?:to be|you|you're|ur|we|that|it's
    |this|i'?m (?!new|five|stupid|dumb|an idiot|\d)|i am (?!new|five|stupid|dumb|an idiot|\d))|act as|act like|(?:you
    |you'll|you can|i'll|^|please|can you|could you|now|,) (?:be|play) (?:an?|the|my|our) (?:[\w-]+ ){0,2}\w+(?:er|or
    |ist|man|ant|ian|ess|cop|judge|guard|nurse|coach|king|queen|boss)\b(?! (?:than|at|with|for|by|on)\b)
    |\bi (?:cast (?!a (?:doubt|vote|glance))\w+|roll for|draw my (?:sword|axe|bow|dagger|blade|wand))\b|\b(?:you
    |u)(?:'ll)? (?:be|play) {NAME}\b|^\W*you are (?:a|the|my) (?:customer|guest|patient|client|recruiter|tourist)\b
    |you have been an? |you are (?:now )?(?:an?|the|my) (?!assistant\b|lifesaver|star\b|legend|gem|genius|angel|hero|god
    |best|godsend)[\w ]{2,30}(?:[.,:]| and\b| who\b)|you're (?:now )?(?:an?|the) (?:\w+ ){0,2}(?:interviewer|detective
    |pirate|recruiter|customer|patient|teacher|king|queen|knight|wizard|dragon|waiter|shopkeeper|examiner|judge|villain
    |captain|bartender|guard|alien|robot|vampire)|i'?ll (?:be|play) (?:an?|the)|i'?m playing (?:an?|the)|let's play
    |play the (?:role|part)|in character|stay in character|mock interview)\b
"""

ROLE_OVER = r"""
    ^\W*(?:haha\w*|ha\b|lol|lmao|ok|okay|thanks|thank you|thx|nice|great|perfect|good one|brilliant|cute|phew)\b|\bbtw\b
    |\bthat helped\b|\bcan you\b|\b(?:end of (?:the )?(?:game|role.?play|story|scene)|back to (?:reality|real life
    |normal|business|me|work|the real)|game over|out of character|ooc|stop (?:pretending|role.?playing|playing
    |the (?:game|role.?play|act))|(?:done|finished|enough) (?:pretending|role.?playing|playing|with the)|in real life
    |irl|for real|real talk|seriously|joking aside|ok(?:ay)? (?:stop|done|enough|real)|anyway|on a real note
    |real question|scene over|end scene|back to)\b
"""

DICTATED = r"""
    \b(?:translate|proofread|paraphrase|rephrase|reword|re-?write|summari[sz]e|edit|correct|improve|shorten|polish|check
    |review|fix|explain|dictate|transcribe|answer|reply to|rename|convert)\b.{0,60}(?::|\bthis\b|\bfollowing\b|\bbelow\b
    |\bdictate (?:a|the|my) \w+)\W*$|\b(?:translate|proofread|paraphrase|rephrase|reword|re-?write|summari[sz]e|edit
    |shorten|review|fix|answer|reply to|rename|convert)\b[^:]{0,60}(?::\s*\S?|\s{3})|^\W*(?:(?:now|also|and
    |please) )*(?:add|append|insert|include|next|next bit|subject|new line|p\.?s)\s*:\s*\S?|\bdear (?:mr|mrs|ms|dr|sir
    |madam|customer|valued|parents|families|all|team|friends?|colleagues?|neighbou?rs?|guests?)\b[\w. ]{0,25},
    |\b(?:(?<!\bi )said|says|wrote|writes|reads|goes|replied|answered|like this|as follows|here(?:'s| is) (?:the|my|his
    |her|their|a|an)\b.{0,40}|text|message|email|mail|letter|post|ad|review|draft|quote|lyrics|transcript|log|error
    |output|headline|caption|prompt|template|bio)\s*:\s*\S?
"""
