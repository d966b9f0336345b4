// Pairs two dumps that exist in memory only: networks of 2000 operators with
// three tensors each, on 8 ranks, at as many steps as it takes.
//   pair_tensors COUNT     of tensors, both sides together
// Prints the seconds for pairing, the peak of resident memory in bytes, and the
// number of pairs.
#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "pairing/strategy.h"

namespace assay {
namespace {

constexpr size_t kOperators = 2000, kRanks = 8, kTensors = 3;

Dump MakeDump(size_t count, std::string_view time) {
  Dump dump{.kind = "ascend"};
  dump.tensors.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    const size_t step = i / (kOperators * kTensors * kRanks);
    const size_t rank = i / (kOperators * kTensors) % kRanks;
    const size_t op = i / kTensors % kOperators, port = i % kTensors;
    const bool input = port + 1 < kTensors;
    const std::string name = fmt::format("layer{}_conv", op);
    const std::string slot =
        fmt::format("{}:{}", input ? "input" : "output", input ? port : 0);
    if (port == 0) {
      dump.files.push_back(fmt::format(
          "worldsize8_global_rank{}/{}/0/model/1/{}/Conv2D.{}.{}.7.{}", rank,
          time, step, name, op, 1760000000000000 + i));
    }
    TensorInfo& tensor = dump.tensors.emplace_back();
    tensor.file = static_cast<uint32_t>(dump.files.size() - 1);
    tensor.name = dump.names.Intern(fmt::format("{}:{}", name, slot));
    tensor.id = {.op = dump.names.Intern(name),
                 .type = dump.names.Intern("Conv2D"),
                 .graph = dump.names.Intern("model"),
                 .port = input ? Port::kInput : Port::kOutput,
                 .order_from = OrderFrom::kTimestamp,
                 .index = input ? static_cast<int32_t>(port) : 0,
                 .rank = static_cast<int32_t>(rank),
                 .step = static_cast<int32_t>(step),
                 .order = static_cast<int64_t>(i)};
    tensor.stored.name = slot;
    tensor.stored.shape = {1, 64, 56, 56};
  }
  return dump;
}

int Run(size_t count) {
  const Dump golden = MakeDump(count / 2, "20250101000000");
  const Dump target = MakeDump(count / 2, "20250202000000");
  const auto start = std::chrono::steady_clock::now();
  const auto pairing = PairDumps(golden, target, {.strategy = "by-name"});
  const std::chrono::duration<double> time =
      std::chrono::steady_clock::now() - start;
  if (!pairing) return 1;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  fmt::print("{} {} {}\n", time.count(), usage.ru_maxrss * 1024,
             pairing->pairs.size());
  std::fflush(stdout);
  std::_Exit(0);  // freeing takes as long as pairing
}

}  // namespace
}  // namespace assay

int main(int argc, char** argv) {
  return argc == 2 ? assay::Run(std::strtoull(argv[1], nullptr, 10)) : 2;
}
