"""CompilerConfig with the options that dumping uses; OLD=1: as before it knew paths."""
import os


class Option:
    """Refuses options it does not have, as TorchAir does."""

    def __init__(self, **values):
        self.__dict__.update(values)

    def __setattr__(self, name, value):
        if name not in self.__dict__:
            raise ValueError("no option " + name)
        self.__dict__[name] = value


def path():
    return {} if os.environ.get("OLD") else {"path": None}


class CompilerConfig:
    def __init__(self):
        self.debug = Option(graph_dump=Option(type=None, **path()), data_dump=Option(type=None, **path()))
        self.dump_config = Option(enable_dump=False, dump_path="./", dump_mode="all", dump_step="", dump_layer="")
        self.fusion_config = Option(fusion_switch_file=None)
