"""Learning by a language model: one file for each thing it is asked, with the prompt beside the shape of the answer."""
