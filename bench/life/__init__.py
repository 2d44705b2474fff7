"""A life to be remembered: a seeded generator of days, and the truth behind them."""
