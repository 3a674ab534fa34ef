"""Gradebook → feedback pages, class report and CSV.

Imports ``gradebook`` and ``records``; never reaches the engine or a sandbox.
"""
