"""Swaps tfdbg's command-line session for its dumping one, so that an unedited script dumps by itself.

tfdbg's prompt and its dumping session watch the same tensors and write the same bytes; the prompt
only adds a person who types `run` and `pt`. The class that is swapped serves the wrapper session and,
because LocalCLIDebugHook makes its session from it, the hook too.
"""
import importlib.abc
import importlib.machinery
import itertools
import os
import sys

SESSIONS = ".python.debug.wrappers.local_cli_wrapper"
SCREENS = ".python.debug.cli.ui_factory"
PACKAGES = ("tensorflow", "tensorflow_core")  # 1.15 has both, and modules of either name
CLASS = "LocalCLIDebugWrapperSession"
FOLDER = "ASSAY_TFDBG_FOLDER"  # where the dumps go; without it nothing is swapped
STEPS = "ASSAY_TFDBG_STEPS"    # "0|5|10": which runs
SCREEN = "ASSAY_TFDBG_UI"      # "readline": whatever the script asks for
# tfdbg ends the whole job when a file's name gets too long: NODE_SLOT_DebugIdentity_TIME, NODE without its scopes.
LONGEST_NODE = 255 - len("_000_DebugIdentity_0000000000000000")


def wanted_steps(text):
    """{0, 5}, or None for every run."""
    words = [word.strip() for word in text.split("|") if word.strip()]
    if "all" in words:
        return None
    for word in words:
        if not word.isdigit():
            raise ValueError(f"steps are numbers like 0|5|10, not '{text}'")
    return {int(word) for word in words} or {0}


def new_session_folder(root):
    """One per wrapper: tfdbg refuses a folder that is not empty. Processes may race for a name."""
    os.makedirs(root, exist_ok=True)
    for number in itertools.count():
        path = os.path.join(root, f"session_{number}")
        try:
            os.mkdir(path)
            return path
        except FileExistsError:
            continue


def too_long(names):
    return [name for name in names if len(name.rsplit("/", 1)[-1]) > LONGEST_NODE]


def watching(session, options_class):
    """What tfdbg asks before each run: which nodes to watch. All of them, but for those it would die of."""
    def watch(fetches, feeds):
        long = too_long(operation.name for operation in session.graph.get_operations())
        if not long:
            return options_class()
        for name in long:
            print("note: the name of {} is too long for tfdbg, left out".format(name), file=sys.stderr)
        return options_class(None, "(.*/)?[^/]{1,%d}$" % LONGEST_NODE)
    return watch


def dumping_class(root, steps):
    from tensorflow.python.debug.wrappers import dumping_wrapper, framework

    class DumpingInstead(dumping_wrapper.DumpingDebugWrapperSession):
        """Takes the arguments of the command-line session, and asks nobody."""

        def __init__(self, sess, dump_root=None, ui_type=None, thread_name_filter=None, **ignored):
            super().__init__(sess, new_session_folder(root), watch_fn=watching(sess, framework.WatchOptions),
                             thread_name_filter=thread_name_filter)
            self._assay_runs = itertools.count()

        def add_tensor_filter(self, filter_name, tensor_filter):
            """Filters stop at a prompt; there is none."""

        def on_run_start(self, request):
            if steps is None or next(self._assay_runs) in steps:
                return super().on_run_start(request)
            return framework.OnRunStartResponse(framework.OnRunStartAction.NON_DEBUG_RUN, [])

    DumpingInstead.__name__ = DumpingInstead.__qualname__ = CLASS
    return DumpingInstead


class ChangeAfterImport(importlib.abc.MetaPathFinder):
    """Lets the others import a module, then changes it: who imports it later gets what is in it now."""

    def __init__(self, module, change):
        self.names = [package + module for package in PACKAGES]
        self.change = change

    def find_spec(self, name, path, target=None):
        if name not in self.names:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path)
        if spec is None or spec.loader is None:
            return spec
        execute = spec.loader.exec_module

        def execute_and_change(module):
            execute(module)
            self.change(module)

        spec.loader.exec_module = execute_and_change
        return spec


def swap_session(root, steps):
    return lambda module: setattr(module, CLASS, dumping_class(root, steps))


def one_screen(ui_type):
    """A hook asks for curses, which nobody can type into from outside."""
    def change(module):
        get_ui = module.get_ui
        module.get_ui = lambda asked, *words, **options: get_ui(ui_type, *words, **options)
    return change


def arrange(environment):
    root, screen = environment.get(FOLDER), environment.get(SCREEN)
    if root:
        steps = wanted_steps(environment.get(STEPS, "0"))
        sys.meta_path.insert(0, ChangeAfterImport(SESSIONS, swap_session(root, steps)))
    if screen:
        sys.meta_path.insert(0, ChangeAfterImport(SCREENS, one_screen(screen)))
