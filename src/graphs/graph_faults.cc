#include "graphs/graph_faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "base/text.h"
#include "base/utf8.h"
#include "graphs/graph_circles.h"

namespace assay {
namespace {

constexpr size_t kShown = 8;  // operators of a circle

// The first of a kind and how many there are.
struct Seen {
  uint64_t count = 0;
  const Operator* op = nullptr;
  const Operator* first = nullptr;  // of two with one name
  size_t input = 0;

  bool Add(const Operator& which) {
    if (count++ == 0) op = &which;
    return count == 1;
  }
};

class FaultFinder {
 public:
  FaultFinder(const GraphFaultOptions& options, Graph& graph)
      : options_(options), graph_(graph) {}

  void Run() {
    FindRepeated();
    if (!options_.shared_names) FindMissing();
    FindCircles();
  }

 private:
  std::string NameOf(const Operator& op) const {
    return Printable(graph_.Text(op.name));
  }

  uint64_t LineOf(uint64_t at) const {
    const std::string_view before = options_.text.substr(0, at);
    return 1 + static_cast<uint64_t>(
                   std::count(before.begin(), before.end(), '\n'));
  }

  std::string PlaceOf(const Operator& op) const {
    if (options_.text.empty()) return fmt::format("byte {}", op.at);
    return fmt::format("line {}", LineOf(op.at));
  }

  void Add(Error error, const Operator& op) {
    error.file = graph_.file;
    error.offset = op.at;
    if (!options_.text.empty()) error.line = LineOf(op.at);
    graph_.faults.push_back(std::move(error));
  }

  static std::string OneOf(uint64_t count) {
    return count > 1 ? fmt::format(" (the first of {})", count) : "";
  }

  void FindRepeated() {
    std::unordered_map<uint64_t, const Operator*> known;
    known.reserve(graph_.operators.size());
    Seen seen;
    for (const Operator& op : graph_.operators) {
      if (op.name == kNoName) continue;
      const uint64_t key = static_cast<uint64_t>(op.part) << 32 | op.name;
      const auto [entry, is_new] = known.try_emplace(key, &op);
      if (!is_new && seen.Add(op)) seen.first = entry->second;
    }
    if (seen.count == 0) return;
    if (options_.shared_names) {
      graph_.warnings.push_back(fmt::format(
          "{} with the name of another, such as '{}' at byte {}",
          Counted(seen.count, "operator"), NameOf(*seen.op), seen.op->at));
      return;
    }
    Add(Corrupt("operator '{}' is there twice{}", NameOf(*seen.op),
                OneOf(seen.count))
            .Hint(fmt::format("the other is at {}; inputs are named after "
                              "operators, so a graph has each name once",
                              PlaceOf(*seen.first))),
        *seen.op);
  }

  void FindMissing() {
    Seen seen;
    for (const Operator& op : graph_.operators) {
      for (size_t i = 0; i < op.inputs.size(); ++i) {
        const NameId maker = op.inputs[i].op;
        if (maker == kNoName || graph_.Find(maker) != nullptr) continue;
        if (seen.Add(op)) seen.input = i;
      }
    }
    if (seen.count == 0) return;
    Add(NotFound("operator '{}' takes input {} from '{}', which is not there{}",
                 NameOf(*seen.op), seen.input,
                 Printable(graph_.Text(seen.op->inputs[seen.input].op)),
                 OneOf(seen.count))
            .Hint("no operator of the file has that name; was a part of it "
                  "cut off?"),
        *seen.op);
  }

  void FindCircles() {
    const GraphCircles circles = CirclesOf(graph_);
    if (circles.first.empty()) return;
    std::string path;
    for (size_t i = 0; i < std::min(circles.first.size(), kShown); ++i) {
      path.append(NameOf(graph_.operators[circles.first[i]])).append(" -> ");
    }
    if (circles.first.size() > kShown) path += "... -> ";
    const Operator& op = graph_.operators[circles.first[0]];
    Add(Corrupt("operator '{}' waits for its own output: {}{}{}", NameOf(op),
                path, NameOf(op), OneOf(circles.count))
            .Hint("only loops through NextIteration may close a circle"),
        op);
  }

  const GraphFaultOptions& options_;
  Graph& graph_;
};

}  // namespace

void FindGraphFaults(const GraphFaultOptions& options, Graph& graph) {
  FaultFinder(options, graph).Run();
}

}  // namespace assay
