"""Every message: about a millisecond, no model."""
