"""The blackboard of one live session: what the agent is thinking about now, within its window."""
