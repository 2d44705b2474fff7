"""One module per language, each with a constant LANGUAGE. A new module is found without being named anywhere else."""
