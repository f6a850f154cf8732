"""Five-pin billiards."""

__version__ = "0.1.0"
