"""Gradebook → feedback pages, class report and CSV."""
