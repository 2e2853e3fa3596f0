"""Players without a language model."""
