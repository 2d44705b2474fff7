"""Tests of omoide.language."""
