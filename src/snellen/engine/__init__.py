"""The engine: plans a run, asks what is missing, judges it, and sums it up. The only place that waits on models."""
