#include "app/command.h"
namespace assay { namespace { Result<int> Run(const Args&) { return 0; } }
extern constinit const Command kShow = {.name = "show", .sentence = "x", .usage = "x", .run = Run};
extern constinit const Command kConvert = {.name = "convert", .sentence = "x", .usage = "x", .run = Run};
}
