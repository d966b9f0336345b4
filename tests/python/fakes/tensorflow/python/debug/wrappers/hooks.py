from tensorflow.python.debug.wrappers import local_cli_wrapper


class LocalCLIDebugHook:
    def __init__(self, ui_type="curses"):
        self._session, self._ui_type = None, ui_type

    def before_run(self, session):
        if self._session is None:
            self._session = local_cli_wrapper.LocalCLIDebugWrapperSession(session, ui_type=self._ui_type)
            self._session.add_tensor_filter("nan", None)
        return self._session.run("x")
