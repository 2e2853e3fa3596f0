"""The SocialAI School: rooms in which a scripted peer shows, by gaze, pointing, words or example, what to do."""
