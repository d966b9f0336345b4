class DumpConfig:
    def __init__(self, enable_dump=False, dump_path=None, dump_step=None, dump_mode="output", enable_dump_debug=False,
                 dump_debug_mode="all"):
        self.__dict__.update({name: value for name, value in locals().items() if name != "self"})
