"""Old scripts say `import precision_tool.tf_config as npu_tf_config`; what they get is assay.tf_config."""
import os
import sys

try:
    from assay import tf_config
except ImportError:  # only this folder is on the path
    sys.path.append(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
    from assay import tf_config

sys.modules[__name__] = tf_config
