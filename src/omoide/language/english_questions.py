"""English questions for a slot: what "where does she work?" asks for."""

from __future__ import annotations

# Slots (omoide.domain.slots) and relation types, and the words of a question that ask for them.
SLOT_QUESTIONS: tuple[tuple[str, str], ...] = (
    ("works_at works_as works_on", r"\b(?:works?|working|job|employer|company|profession|do(?:es)? for a living)\b"),
    ("lives_in address located_in", r"\b(?:lives?|living|home|address|based|located)\b"),
    ("team member_of part_of", r"\b(?:team|department|group|club|band)\b"),
    ("studies", r"\b(?:stud(?:y|ies|ying)|school|university|college|degree)\b"),
    ("birthday age born_in", r"\b(?:birthday|born|old is|age)\b"),
    ("spouse partner", r"\b(?:married|husband|wife|spouse|partner|girlfriend|boyfriend|dating)\b"),
    ("allergy diet medication condition", r"\b(?:allerg\w+|diet|medication|condition|eat)\b"),
    ("diet", r"\b(?:vegetarian|vegan|pescatarian|meat|diet)\b"),
    ("email phone", r"\b(?:e-?mail|phone|number|contact)\b"),
    ("pet", r"\b(?:pets?|dog|cat)\b"),
    ("speaks", r"\b(?:languages?|speaks?|learning)\b"),
    ("plays likes favorite", r"\b(?:plays?|likes?|loves?|favou?rite|hobb\w+|instrument)\b"),
    ("manager manages", r"\b(?:manages?|manager|boss|reports? to)\b"),
    ("owns uses", r"\b(?:owns?|uses?|drives?)\b"),
    ("deployed_on", r"\b(?:deployed|hosted|hosting|running|runs?)\b"),
)
