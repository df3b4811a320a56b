"""Models that Snellen can ask: served ones, recorded answers, and small embedded ones."""
