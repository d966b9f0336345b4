#include "pipeline/graph_select.h"

#include <re2/re2.h>

#include <algorithm>
#include <unordered_map>

#include "base/text.h"

namespace assay {
namespace {

constexpr size_t kNamesInHint = 10;

bool HasPass(const Graph& graph, const Operator& op, const std::string& pass) {
  for (const NameId id : op.passes) {
    if (graph.Text(id) == pass) return true;
  }
  return false;
}

bool Contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::string Underscored(std::string_view name) {
  std::string text(name);
  for (char& c : text) {
    if (c == '/' || c == '.') c = '_';
  }
  return text;
}

template <typename Test>
std::vector<uint32_t> Where(const Graph& graph, const Test& test) {
  std::vector<uint32_t> found;
  for (uint32_t i = 0; i < graph.operators.size(); ++i) {
    if (test(graph.operators[i])) found.push_back(i);
  }
  return found;
}

// "did you mean 'a', 'b' or one of 12 others?"
std::string Suggestion(const Graph& graph, const std::vector<uint32_t>& near) {
  std::string text = "did you mean ";
  for (size_t i = 0; i < std::min(near.size(), kNamesInHint); ++i) {
    if (i > 0) text += ", ";
    text += fmt::format("'{}'", graph.Text(graph.operators[near[i]].name));
  }
  if (near.size() > kNamesInHint) {
    text += fmt::format(" or one of {} more", near.size() - kNamesInHint);
  }
  return text + "?";
}

Error NoSuchOperator(const Graph& graph, const std::string& name) {
  const std::string wanted = Lower(name);
  const auto near = Where(graph, [&](const Operator& op) {
    return Contains(Lower(graph.Text(op.name)), wanted);
  });
  Error error = NotFound("no operator is called '{}'", name).At(graph.file);
  if (!near.empty()) return std::move(error).Hint(Suggestion(graph, near));
  std::vector<std::string_view> names;
  for (const Operator& op : graph.operators) {
    names.push_back(graph.Text(op.name));
  }
  return std::move(error).Hint(DidYouMean(
      name, names, fmt::format("'assay graph ls {}' shows all", graph.file)));
}

}  // namespace

Result<std::vector<uint32_t>> SelectOperators(const Graph& graph,
                                              const OperatorFilter& filter) {
  const re2::RE2 name(filter.name, re2::RE2::Quiet);
  if (!name.ok()) {
    return Usage("--name '{}' is not a regular expression: {}", filter.name,
                 name.error());
  }
  return Where(graph, [&](const Operator& op) {
    const std::string_view text = graph.Text(op.name);
    return Contains(graph.Text(op.type), filter.type) &&
           Contains(graph.Text(op.kernel), filter.kernel) &&
           (filter.pass.empty() || HasPass(graph, op, filter.pass)) &&
           re2::RE2::PartialMatch({text.data(), text.size()}, name);
  });
}

std::string NearestFilter(const Graph& graph, const OperatorFilter& filter) {
  std::vector<std::string_view> types, passes;
  for (const Operator& op : graph.operators) {
    types.push_back(graph.Text(op.type));
    for (const NameId id : op.passes) passes.push_back(graph.Text(id));
  }
  const auto other = [](const std::string& word,
                        const std::vector<std::string_view>& known) {
    return word.empty() || std::count(known.begin(), known.end(), word) > 0
               ? std::string()
               : DidYouMean(word, known);
  };
  return other(filter.type, types) + other(filter.pass, passes);
}

std::vector<TypeCount> CountTypes(const Graph& graph) {
  std::unordered_map<NameId, size_t> place;
  std::vector<TypeCount> counts;
  for (const Operator& op : graph.operators) {
    const auto [at, fresh] = place.emplace(op.type, counts.size());
    if (fresh) counts.push_back({op.type, 0});
    ++counts[at->second].count;
  }
  std::stable_sort(
      counts.begin(), counts.end(),
      [](const TypeCount& a, const TypeCount& b) { return a.count > b.count; });
  return counts;
}

Result<NamedOperators> FindOperators(const Graph& graph,
                                     const std::string& name) {
  NamedOperators found;
  found.operators = Where(
      graph, [&](const Operator& op) { return graph.Text(op.name) == name; });
  if (!found.operators.empty()) return found;
  const std::string wanted = Underscored(name);
  found.exact = false;
  found.operators = Where(graph, [&](const Operator& op) {
    return Underscored(graph.Text(op.name)) == wanted;
  });
  if (!found.operators.empty()) return found;
  return NoSuchOperator(graph, name);
}

}  // namespace assay
