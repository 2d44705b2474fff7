"""English words that ask for privacy or tell sensitive matters."""

from __future__ import annotations

from omoide.language.privacy_words import PrivacyWords

_OWN = r"(?:my|our|his|her|their|[a-z]+'s)"
_CHILD = rf"{_OWN} (?:\w+ )?(?:son|daughter|kids?|child|children|baby|toddler|grandson|granddaughter|nephew|niece)"

PRIVACY = PrivacyWords(
    requests=r"""
        (?:just |strictly )?between (?:you and me|us|ourselves|the two of us)(?! (?:and|two cities|there|is|are))
        |(?:nobody|no one|none of (?:them|my \w+)|not even \w+|no-one)(?: else)?
          (?: at work| there| here| in my \w+| at (?:the|my) \w+)? (?:knows?|should know|must know|may know|has to know)
          (?= ?(?:[.!,;)]|$|yet|about (?:this|that|it|\w+ yet)|it|this|that (?:i|we|he|she)|i'm|we're))
        |(?:don't|do not|never|please don't|you can't|you mustn't) (?:ever )?
          (?:tell|mention (?:this|that|it) to|repeat (?:this|that|it) to|share (?:this|that|it) with|let on to|
          pass (?:this|that|it) on to|let it slip to|say (?:this|that|it|anything) (?:about \w+ )?to)
          (?: anyone| anybody| him| her| them| my \w+| the (?:others|team|kids|boss)| people| others)
        |(?:don't|do not) (?:tell|mention (?:this|that|it)|repeat (?:this|that|it)|share (?:this|that|it))(?=[.!,;]|$)
        |(?:don't|do not|please don't) tell (?!me|us|you|it|that|this|if|when|what|how|the )[a-z]+
          (?= ?(?:[.!,;)]|$|yet|but|about|that))
        |keep (?:this|that|it|all (?:this|that)) (?:private|secret|confidential|quiet|to yourself|to ourselves|
          between us|under wraps|under your hat)
        |(?:this|that|it)(?: is|'s| stays| has to stay| must stay) (?:strictly |very |still |a )?
          (?:private|confidential|secret|off the record|not public yet|between us|for your ears only)
          (?= ?(?:[.!,;)]|$|so|and|but|please|for now|until|yet|information|stuff))
        |off the record|in (?:strict|complete|total) confidence|for your eyes only|(?:it's|this is) our secret
        |(?:told|said (?:it|this|that) to|confided in) (?:me|us) in confidence|haven't told (?:anyone|anybody|a soul)
    """,
    pointing=r"this|that|it|what i (?:just )?(?:said|told you)|anything|anyone|anybody|nobody|no one|no-one",
    health=r"""
        diagnosed with|tested positive for|hiv(?:[- ]positive)?|(?:has|have|had|got|beat|fighting|of) (?:\w+ )?cancer
        |chemo(?:therapy)?|tumou?r|miscarri(?:ed|age)|abortion|(?:is|am|i'm|she's|was|got|are|'re) (?:\w+ )?pregnant
        |(?:my|her|their) pregnancy|ivf|(?:clinical |post-?partum |suffer\w* from |my |his |her )depression
        |antidepressants?|bipolar disorder|is bipolar|schizophreni\w+|suicid\w+|self[- ]harm\w*|anorexi[ac]|bulimi[ac]
        |eating disorder|in rehab|alcoholic|(?:is|was|am|i'm|he's|she's) addicted to|overdosed?|chlamydia|herpes
        |gonorrh\w+|syphilis|dementia|alzheimer'?s|epilep\w+|psychiatri\w+|psychosis|erectile
    """,
    money=rf"""
        {_OWN} (?:\w+ )?(?:salary|wages?|net worth|credit score|bank balance|debts?|inheritance|life savings|pay slip)
        |(?:i|he|she|we|they) (?:earns?|gets? paid|(?:is|am|are) paid) (?:about |around )?[$€£]?\d[\d.,]*k?
        |(?:deep |badly )?in debt|(?:went|go|going|filed for|declared|is|am|are) bankrupt(?:cy)?|payday loan|foreclos\w+
        |gambl\w+ (?:debts?|problem|away)|behind on (?:the|my|our) (?:rent|mortgage)|can't pay (?:the|my|our) rent
    """,
    intimacy=r"""
        (?:has|having|had|have) an affair|cheat\w* on (?:me|him|her|my \w+|his \w+|[a-z]+)|one[- ]night stand
        |(?:my|our|his|her|their) sex(?:ual)? (?:life|orientation|history)|sex(?:ual)?ly (?:abused|assaulted)|slept with
        |(?:i'm|i am|he's|he is|she's|she is|came out as|is) (?:gay|lesbian|bisexual|bi|trans|transgender|queer|asexual)
        |(?:was|been|got) raped|(?:s?he|my (?:husband|wife|partner|ex|boyfriend|girlfriend)) (?:hits?|beats?) me
        |domestic (?:violence|abuse)|libido|watch\w* porn\w*|nudes
    """,
    identity=r"""
        (?:passport|social security|ssn|national insurance|nhs|driv(?:er'?s|ing) licen[cs]e|(?:id|identity) card|bsn
        |iban|tax(?:payer)? id\w*|bank account|sort code|(?:visa|credit) card|residence permit)
        (?:\ number|\ no\.?|\ nr\.?|\ \#)?(?:\ is|:|\ =|,)?[ ]*[a-z]{0,3}[- ]?\d[\d\w -]{4,}
    """,
    minors=rf"""
        {_CHILD}[^.!?\n]{{0,50}} (?:is (?:being )?bullied|gets? bullied|was bullied|was suspended|was expelled|custody
          |social services|child protection|sees? a (?:therapist|psychologist)|is home alone|walks? (?:home )?alone)
        |custody (?:of|battle|hearing|case|agreement)|{_CHILD} (?:goes to|attends|is at) (?:[\w'.]+ ){{1,4}}
          (?:school|elementary|primary|kindergarten|daycare|nursery)
    """,
)
