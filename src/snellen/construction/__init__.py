"""Programs that build benchmarks: from data that we draw ourselves, and from users' own images."""
