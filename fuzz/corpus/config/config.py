# Dump config '0|5|10'
TF_DUMP_STEP = '0'
FUSION_SWITCH_FILE = './precision_tool/fusion_switch.cfg'
CMD_ROOT_PATH = '/usr/local/'
LOG_LEVEL = "NOTSET"
DATA_ROOT_DIR = './precision_data'
