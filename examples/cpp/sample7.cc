// Ranges by number or name, with steps: the first and the last are always
// among them.
#include "sample.h"

int main(int argc, char** argv) {
  const Command command = ReadCommand(argc, argv);
  const assay::Model model = OpenModel(command);
  int number = 0;
  for (const char* range :
       {"../3", "2../4", "..5/2", "0..4", "relu1..gated/2", "gate../100"}) {
    fmt::print("{}\n", range);
    Print(Must(model.DumpRange(
        range, fmt::format("{}/{}", command.folder, number++))));
  }
}
