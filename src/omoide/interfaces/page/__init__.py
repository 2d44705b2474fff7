"""The page of a memory: its files, and the routes that only it needs. Built from `page/` in the repository."""
