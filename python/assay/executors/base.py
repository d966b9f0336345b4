"""What a backend has to do."""
import importlib


class Refused(Exception):
    """What was asked for cannot be. The text says all: users see no traceback."""


class BaseExecutor:
    """One way to run models. The methods are called in the order in which they stand here.

    Import the backend inside the methods: then whatever it prints goes to standard error, and where it
    is missing the user is told so.
    """

    module = ""    # the Python module without which nothing works
    options = ()   # the names of --executor-option that are understood
    # True: each model that is loaded gets an object of its own, which is asked again (`execute`) when the
    # same model comes with inputs of the same types and shapes.
    keeps = False

    @classmethod
    def version(cls):
        """The backend's. Raises ImportError where it is not installed."""
        if not cls.module:
            return ""
        return str(getattr(importlib.import_module(cls.module), "__version__", ""))

    @classmethod
    def check(cls):
        """An exception says why it cannot run here, though `module` is installed."""

    def init(self, config):
        """Once. `config` is a dict of texts, the options that were given."""

    def load_model(self, model, config):
        """For each model: `model` is the path of an ONNX file."""

    def sizes(self, names, inputs):
        """Bytes of these tensors, a dict by name, so that a large run is cut into several; {}: not known."""
        return {}

    def execute(self, names, inputs, config):
        """The arrays of these tensors, a dict by name; an exception in place of an array is that
        tensor's error. `inputs` is a dict of arrays. Called once or more for each model that was loaded.
        """
        raise NotImplementedError("execute is not written")

    def ir_text(self):
        """The program as the backend sees it, after `execute`; "" if it has none to show."""
        return ""

    def facts(self):
        """Texts about what ran, a dict: the device, the precision that was really used."""
        return {}

    def notes(self):
        """What people should know about the run, a list of texts."""
        return []

    def release(self):
        """Always, also after a failure."""
