"""Nodes, sessions, edges, and the records that are made of nodes."""
