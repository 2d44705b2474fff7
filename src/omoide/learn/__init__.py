"""What is learned from a session once it is over: facts, people, preferences, how-tos. Rules always, a model if any."""
