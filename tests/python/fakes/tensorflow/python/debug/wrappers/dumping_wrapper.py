"""Dumps by copying the sample that SAMPLE names."""
import os
import shutil

from tensorflow.python.debug.wrappers import framework


class DumpingDebugWrapperSession:
    def __init__(self, sess, session_root, watch_fn=None, thread_name_filter=None):
        if os.listdir(session_root):
            raise ValueError("session_root path points to a non-empty directory")
        self._root, self._runs = session_root, 0

    def on_run_start(self, request):
        return framework.OnRunStartResponse(framework.OnRunStartAction.DEBUG_RUN, ["file://"])

    def run(self, fetches):
        action = self.on_run_start(fetches).action
        if action == framework.OnRunStartAction.DEBUG_RUN:
            shutil.copytree(os.environ["SAMPLE"], os.path.join(self._root, "run_170000000000000{0}_{0}".format(self._runs)))
        self._runs += 1
        return action
