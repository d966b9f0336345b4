#include "pipeline/first_nonfinite.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <functional>
#include <memory>
#include <utility>

#include "base/parallel.h"
#include "base/progress.h"
#include "base/text.h"
#include "pipeline/align.h"
#include "pipeline/execution.h"
#include "pipeline/look_closer.h"
#include "pipeline/nonfinite_scan.h"

namespace assay {
namespace {

// What is known of one tensor so far.
struct Known {
  bool known = false;
  std::optional<NonFiniteElement> element;  // none: finite, or not readable
  ErrorRef error;
};

using Tensors = std::vector<uint32_t>;

class Search {
 public:
  Search(const Dump& dump, const SearchOptions& options,
         const std::atomic<bool>& stop)
      : dump_(dump),
        options_(options),
        stop_(stop),
        execution_(ExecutionOf(dump)),
        seen_(dump.tensors.size()) {
    for (uint32_t i = 0; i < seen_.size(); ++i) SeeWithoutReading(i);
  }

  NonFiniteSearch Run() {
    NonFiniteSearch result;
    result.order = execution_.order;
    result.operators = execution_.ops.size();
    const size_t end = execution_.ops.size();
    const size_t first =
        FirstOp(0, [this](const ExecutedOp& op) { return Shows(op); });
    size_t last = first;
    if (first < end) {
      result.first = Describe(execution_.ops[first], first == 0);
      result.in_output = true;
      if (Bad(execution_.ops[first].inputs) != nullptr) {
        last = FirstOp(first + 1,
                       [this](const ExecutedOp& op) { return Makes(op); });
        if (last < end) {
          result.seen =
              std::exchange(result.first, DescribeMaker(execution_.ops[last]));
        }
      }
    } else {
      result.first = FirstInput();
    }
    result.finished = !stop_.load();
    if (!result.finished) result.first = result.seen = std::nullopt;
    CollectErrors(std::min(last + 1, end), result.errors);
    return result;
  }

 private:
  void SeeWithoutReading(uint32_t i) {
    const TensorInfo& tensor = dump_.tensors[i];
    Known& seen = seen_[i];
    seen.known = true;
    if (tensor.error()) {
      seen.error = tensor.error();
    } else if (tensor.stored.summary) {
      seen.element = NonFiniteIn(*tensor.stored.summary);
    } else {
      seen.known = !CanBeNonFinite(tensor.stored.dtype);
    }
  }

  const uint32_t* Bad(const Tensors& tensors) const {
    const auto found = std::ranges::find_if(
        tensors, [this](uint32_t i) { return seen_[i].element.has_value(); });
    return found == tensors.end() ? nullptr : &*found;
  }

  // Its results are not finite; where they were not dumped, what goes in.
  bool Shows(const ExecutedOp& op) const {
    return Bad(op.outputs.empty() ? op.inputs : op.outputs) != nullptr;
  }

  bool Makes(const ExecutedOp& op) const {
    return Bad(op.outputs) != nullptr && !op.inputs.empty() &&
           Bad(op.inputs) == nullptr;
  }

  struct Item {
    size_t op;
    uint32_t tensor;
  };

  // Tensors of the operators from `from` on that must be read, in order.
  std::vector<Item> ItemsFrom(size_t from) const {
    std::vector<Item> items;
    for (size_t op = from; op < execution_.ops.size(); ++op) {
      const ExecutedOp& executed = execution_.ops[op];
      for (const Tensors* tensors : {&executed.inputs, &executed.outputs}) {
        for (const uint32_t i : *tensors) {
          if (!seen_[i].known) items.push_back({op, i});
        }
      }
    }
    return items;
  }

  // The first operator from `from` on for which `wanted` is true. Operators
  // behind one that was found are left out, those before it never: whichever
  // thread is ahead, the answer is the same.
  size_t FirstOp(size_t from,
                 const std::function<bool(const ExecutedOp&)>& wanted) {
    const size_t end = execution_.ops.size();
    const std::vector<Item> items = ItemsFrom(from);
    std::vector<std::atomic<uint32_t>> left(end);
    uint64_t bytes = 0;
    for (const Item& item : items) {
      ++left[item.op];
      bytes += Bytes(item.tensor);
    }
    std::atomic<size_t> best = end;
    const auto judge = [&](size_t op) {
      if (!wanted(execution_.ops[op])) return;
      size_t now = best.load();
      while (op < now && !best.compare_exchange_weak(now, op)) {
      }
    };
    for (size_t op = from; op < end; ++op) {
      if (left[op] == 0) judge(op);
    }
    Progress progress("looking for nan and inf", bytes, Progress::Unit::kBytes,
                      options_.show_progress);
    WorkerBuffers buffers(std::max(1, options_.threads));
    ParallelFor(
        items.size(), options_.threads,
        [&](size_t i, size_t worker) {
          const Item& item = items[i];
          if (item.op < best.load()) {
            Read(item.tensor, buffers.Of(worker));
            if (left[item.op].fetch_sub(1) == 1) judge(item.op);
          }
          progress.Add(Bytes(item.tensor));
        },
        &stop_);
    return best;
  }

  uint64_t Bytes(uint32_t i) const {
    return dump_.ViewOf(dump_.tensors[i]).stored_bytes();
  }

  void Read(uint32_t i, const WorkBuffers& buffers) {
    auto element = Guarded(i, buffers);
    Known& seen = seen_[i];
    if (element) {
      seen.known = true;
      seen.element = *std::move(element);
    } else if (element.error().code != ErrorCode::kInterrupted) {
      seen.known = true;
      seen.error = std::make_shared<Error>(std::move(element).error());
    }
  }

  // A library's exception costs this tensor, not the search.
  Result<std::optional<NonFiniteElement>> Guarded(uint32_t i,
                                                  const WorkBuffers& buffers) {
    try {
      const Seen view = SeePlain(dump_, dump_.tensors[i]);
      return ScanForNonFinite(view.view, buffers, stop_);
    } catch (const std::exception& e) {
      return Internal("unexpected: {}", e.what())
          .At(dump_.PathOf(dump_.tensors[i]));
    }
  }

  NonFinite About(const ExecutedOp& op, uint32_t i) const {
    const TensorInfo& tensor = dump_.tensors[i];
    const NonFiniteElement& element = *seen_[i].element;
    NonFinite out;
    out.op = dump_.names[op.op];
    out.type = dump_.names[op.type];
    out.tensor = dump_.NameOf(tensor);
    out.placed = dump_.PlacedName(tensor);
    out.rank = tensor.id.rank;
    out.step = tensor.id.step;
    out.file = dump_.files[tensor.file];
    out.dtype = Name(tensor.stored.dtype);
    const StoredView view = SeePlain(dump_, tensor).view;
    out.shape = view.shape;
    if (element.at) out.index = ElementIndex(*element.at, view);
    out.value = element.value;
    out.before = element.before;
    out.after = element.after;
    return out;
  }

  NonFinite Describe(const ExecutedOp& op, bool is_first) const {
    if (Bad(op.inputs) != nullptr) return DescribeInput(op);
    if (!op.inputs.empty()) return DescribeMaker(op);
    NonFinite out = About(op, *Bad(op.outputs));
    out.why = fmt::format("none of its inputs was dumped, and {}",
                          is_first ? "it is the first operator"
                                   : "the outputs before it are finite");
    AddRange(out);
    return out;
  }

  NonFinite DescribeMaker(const ExecutedOp& op) const {
    NonFinite out = About(op, *Bad(op.outputs));
    const size_t n = op.inputs.size();
    out.why = n == 1 ? "its input is finite"
                     : fmt::format("its {} dumped inputs are finite", n);
    AddRange(out);
    return out;
  }

  // The usual reason for an infinity that comes out of finite numbers.
  static void AddRange(NonFinite& out) {
    if (std::isinf(out.value) && out.dtype == Name(DType::kF16)) {
      out.why += "; f16 ends at 65504";
    }
  }

  NonFinite DescribeInput(const ExecutedOp& op) const {
    NonFinite out = About(op, *Bad(op.inputs));
    out.why = fmt::format("its input is already {}, and no output before it is",
                          ShortestText(out.value));
    if (op.outputs.empty()) {
      out.why += "; its outputs were not dumped";
    } else if (Bad(op.outputs) == nullptr) {
      out.why += "; its outputs are finite";
    }
    return out;
  }

  std::optional<NonFinite> FirstInput() const {
    for (const ExecutedOp& op : execution_.ops) {
      if (Bad(op.inputs) != nullptr) return DescribeInput(op);
    }
    return std::nullopt;
  }

  // Of operators that were looked at whichever thread was ahead.
  void CollectErrors(size_t end, std::vector<Error>& out) const {
    for (size_t op = 0; op < execution_.ops.size(); ++op) {
      const ExecutedOp& executed = execution_.ops[op];
      for (const Tensors* tensors : {&executed.inputs, &executed.outputs}) {
        for (const uint32_t i : *tensors) {
          const bool header = dump_.tensors[i].error() != nullptr;
          if (seen_[i].error && (header || op < end)) {
            out.push_back(*seen_[i].error);
          }
        }
      }
    }
  }

  const Dump& dump_;
  const SearchOptions& options_;
  const std::atomic<bool>& stop_;
  const Execution execution_;
  std::vector<Known> seen_;
};

}  // namespace

NonFiniteSearch FindFirstNonFinite(const Dump& dump,
                                   const SearchOptions& options,
                                   const std::atomic<bool>& stop) {
  return Search(dump, options, stop).Run();
}

}  // namespace assay
