"""What the samples share: the model, the executor, a folder for the dumps.

    python3 sample0.py [EXECUTOR [FOLDER]]

EXECUTOR is one of `assay list executors`, or ../numpy_executor.py [onnxruntime].
"""
import pathlib
import sys
import tempfile

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(EXAMPLES.parent / "python"))
import assay  # noqa: E402

MODEL = EXAMPLES / "models/perceptron.onnx"


def executor(otherwise="onnxruntime"):
    return sys.argv[1] if len(sys.argv) > 1 else otherwise


def folder():
    """An empty one, or that of the command line."""
    return pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp(prefix="assay-sample-"))


def model(runs_on=None):
    return assay.Model(MODEL, executor=runs_on or executor(), dims={"batch": 2})
