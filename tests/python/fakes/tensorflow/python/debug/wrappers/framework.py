class OnRunStartAction:
    DEBUG_RUN, NON_DEBUG_RUN = "debug_run", "non_debug_run"


class OnRunStartResponse:
    def __init__(self, action, debug_urls):
        self.action, self.debug_urls = action, debug_urls


class WatchOptions:
    def __init__(self, debug_ops=None, node_name_regex_allowlist=None):
        self.names = node_name_regex_allowlist
