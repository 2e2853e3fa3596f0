"""The agent ``objects``: a language model plays a video game from the list of objects on the screen."""
