"""From MyST text to executed notebooks, and the checks on both."""
