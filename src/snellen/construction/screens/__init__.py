"""Screens as HTML of our own, opened in a real browser: every box is the browser's, every truth is known."""
