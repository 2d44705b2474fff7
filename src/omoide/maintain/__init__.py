"""Every night: small jobs, each safe to repeat, to interrupt and to run beside live traffic."""
