"""To and from other graders, so that nobody is locked in."""
