// What is left when nothing but names connects two dumps.
#include "pairing/pair_by_names.h"

namespace assay {
namespace {

std::string Fits(const Dump&, const Dump&, const PairOptions&) {
  return "nothing but names connects the two sides";
}

}  // namespace

extern constinit const Strategy kByName = {
    .name = "by-name",
    .summary =
        "equal paths, then equal names, then names that differ in / . :, "
        "then operator, port and index",
    .fits = Fits,
    .pair = PairByNames,
};

}  // namespace assay
