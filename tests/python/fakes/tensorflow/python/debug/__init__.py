from tensorflow.python.debug.wrappers.hooks import LocalCLIDebugHook  # noqa: F401
from tensorflow.python.debug.wrappers.local_cli_wrapper import LocalCLIDebugWrapperSession  # noqa: F401
