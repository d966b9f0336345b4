// Every tensor of a model, with three kinds of inputs; then two of the dumps
// are compared.
#include "sample.h"

int main(int argc, char** argv) {
  const Command command = ReadCommand(argc, argv);
  assay::Model model = OpenModel(command);
  Must(model.DumpFull(command.folder + "/default"));  // random, seed 42

  model.inputs().inputs = {"x=random,seed=21,low=-1,high=0"};
  Print(Must(model.DumpFull(command.folder + "/range")));

  model.inputs().inputs = {"x=" + command.folder + "/default/inputs/x.npy"};
  Must(model.DumpFull(command.folder + "/again"));

  const assay::Comparison same = Must(assay::CompareSources(
      command.folder + "/default", command.folder + "/again"));
  fmt::print("{} rows: {}\n", same.rows.size(), assay::Name(same.verdict));
}
