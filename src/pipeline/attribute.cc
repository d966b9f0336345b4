#include "pipeline/attribute.h"

#include <algorithm>

#include "pipeline/evidence.h"
#include "pipeline/odd_slices.h"

namespace assay {
namespace {

bool IsBad(const Row& row) {
  return row.verdict == Verdict::kFail || row.verdict == Verdict::kUnsure;
}

std::vector<TensorFacts> AllFacts(const Measurements& measurements,
                                  const std::vector<Planned>& planned) {
  const auto& [owners, measured, options, stop] = measurements;
  std::vector<TensorFacts> facts(planned.size());
  for (size_t i = 0; i < owners.size(); ++i) {
    const Planned& p = *owners[i];
    if (p.BySummary() || !measured[i].done || measured[i].error) continue;
    const auto at = static_cast<size_t>(&p - planned.data());
    facts[at] = FactsOf(measured[i].stats, p.job->golden.dtype(),
                        p.job->target.dtype());
  }
  return facts;
}

std::vector<Place> GoldenPlaces(const Dump& golden, const Dump& target,
                                const std::vector<Planned>& planned) {
  std::vector<Place> places;
  places.reserve(planned.size());
  for (const Planned& p : planned) {
    const Dump& dump = p.golden_is_target ? target : golden;
    places.push_back(PlaceOf(dump, dump.tensors[p.golden]));
  }
  return places;
}

std::vector<Place> TargetPlaces(const Dump& target,
                                const std::vector<Planned>& planned) {
  std::vector<Place> places;
  places.reserve(planned.size());
  for (const Planned& p : planned) {
    places.push_back(PlaceOf(target, target.tensors[p.target]));
  }
  return places;
}

// What one side does not know, the other may. Good rows are linked too: they
// tell how errors pass through operators of their type.
std::vector<Ingredients> Link(const std::vector<Place>& golden,
                              const Dump& golden_dump,
                              const std::vector<Place>& target,
                              const Dump& target_dump,
                              std::span<const TensorFacts> facts,
                              const std::vector<bool>& bad) {
  const std::vector<bool> all(bad.size(), true);
  std::vector<Ingredients> out = LinkRows(target, all, target_dump);
  LinkByContent(target, facts, bad, out);
  std::vector<bool> open(bad.size());
  for (size_t i = 0; i < bad.size(); ++i) open[i] = out[i].rows.empty();
  std::vector<Ingredients> more = LinkRows(golden, open, golden_dump);
  LinkByContent(golden, facts, bad, more);
  for (size_t i = 0; i < bad.size(); ++i) {
    if (open[i] && !more[i].rows.empty()) out[i] = std::move(more[i]);
  }
  return out;
}

}  // namespace

std::vector<std::string> Attribute(const Dump& golden, const Dump& target,
                                   const Measurements& measurements,
                                   std::vector<Planned>& planned) {
  std::vector<Row*> rows;
  std::vector<bool> bad;
  for (Planned& p : planned) {
    rows.push_back(&p.row);
    bad.push_back(IsBad(p.row));
  }
  if (std::find(bad.begin(), bad.end(), true) == bad.end()) return {};
  const std::vector<Place> g = GoldenPlaces(golden, target, planned);
  const std::vector<Place> t = TargetPlaces(target, planned);
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i]->type.empty()) rows[i]->type = t[i].type;
  }
  std::vector<TensorFacts> facts = AllFacts(measurements, planned);
  const auto from = Link(g, golden, t, target, facts, bad);
  MarkOddSlices(planned, from, measurements, facts);
  return FindCauses(rows, facts, from);
}

}  // namespace assay
