"""The agent ``school``: one call a step in the SocialAI School, with the rules, the last observations and a voice."""
