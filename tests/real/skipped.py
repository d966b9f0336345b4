"""What a check raises where this machine cannot show what it is about."""


class Skipped(Exception):
    """The text says why."""
