"""The name under which old training scripts import Assay's tf_config."""
