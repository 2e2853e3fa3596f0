"""Where things stand at the start: one module for each family of rooms, in the published order of random draws."""
