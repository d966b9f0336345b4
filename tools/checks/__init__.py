"""One module per check of tools/check."""
