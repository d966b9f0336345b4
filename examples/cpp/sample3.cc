// Further outputs, and a single run that gives them all.
#include "sample.h"

int main(int argc, char** argv) {
  const Command command = ReadCommand(argc, argv);
  assay::Model model = OpenModel(command);
  Must(model.Mark({"relu1", "gate"}));
  Print(Must(model.DumpOnce(command.folder + "/once")));

  const assay::Dump dump =
      Must(assay::OpenSource(command.folder + "/once", {}));
  fmt::print("{} tensors in the dump\n", dump.tensors.size());
}
