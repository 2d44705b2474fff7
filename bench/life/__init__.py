"""A simulated life: a seeded generator of days, and the ground truth."""
