"""Human language: normalisation, sentences, summaries, token estimates, time phrases, and one module per language."""
