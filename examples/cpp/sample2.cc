// A part of a model: from here on it is the model.
#include "sample.h"

int main(int argc, char** argv) {
  const Command command = ReadCommand(argc, argv);
  assay::Model model = OpenModel(command);
  Must(model.Extract({"relu1"}, {"gated"}));
  Print(Must(model.DumpFull(command.folder + "/part")));
}
