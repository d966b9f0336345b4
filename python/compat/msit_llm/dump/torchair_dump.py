"""Scripts for msit say `from msit_llm.dump import torchair_dump`; what they get is assay.torchair_dump."""
import os
import sys

try:
    from assay import torchair_dump
except ImportError:  # only this folder is on the path
    HERE = os.path.dirname(os.path.abspath(__file__))
    sys.path.append(os.path.dirname(os.path.dirname(os.path.dirname(HERE))))
    from assay import torchair_dump

sys.modules[__name__] = torchair_dump
