"""The name under which scripts for msit import Assay's dump settings."""
