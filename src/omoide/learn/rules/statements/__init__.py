"""How things are said: one table of rules for each part of a life, and one for each further language."""
