"""Charts drawn from data that is known exactly, with questions whose truth follows from that data."""
