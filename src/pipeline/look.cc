#include "pipeline/look.h"

#include "base/text.h"
#include "core/comparison.h"
#include "kernel/pair_blocks.h"
#include "pairing/builder.h"
#include "pipeline/align.h"
#include "pipeline/plan.h"

namespace assay {
namespace {

template <typename T>
void AddTile(const TilePair& tile, NumberKind kind, size_t values,
             TensorLook& look) {
  const T* x = tile.Golden<T>();
  for (size_t i = 0; i < tile.n; ++i) {
    Number number(static_cast<double>(x[i]));
    if constexpr (std::is_integral_v<T>) number = Number({.sint = x[i]}, kind);
    look.magnitudes.Add(number.AsDouble());
    if (look.values.size() < values) look.values.push_back(number);
  }
}

void AddValues(const TilePair& tile, DType type, size_t values,
               TensorLook& look) {
  const NumberKind kind =
      type == DType::kU64 ? NumberKind::kUnsigned : NumberKind::kSigned;
  switch (tile.type) {
    case TileType::kF32:
      return AddTile<float>(tile, kind, values, look);
    case TileType::kF64:
      return AddTile<double>(tile, kind, values, look);
    case TileType::kI64:
      return AddTile<int64_t>(tile, kind, values, look);
  }
}

bool IsCalled(const Dump& dump, const TensorInfo& tensor,
              std::string_view name) {
  const std::string_view mine = dump.NameOf(tensor);
  const std::string_view member = tensor.stored.name;
  return mine == name || dump.files[tensor.file] == name ||
         (!member.empty() && member == name) ||
         (name.starts_with(mine) && dump.PlacedName(tensor) == name);
}

}  // namespace

Result<TensorLook> LookAt(const Dump& dump, const TensorInfo& tensor,
                          const MeasureOptions& options, size_t values) {
  if (tensor.error()) return *tensor.error();
  if (!HasNumbers(tensor.stored)) {
    return Unsupported("it holds no numbers")
        .At(dump.PathOf(tensor))
        .Of(tensor.stored.name)
        .Hint("text, objects, records; bf16 saved as '|V2' needs --bf16-void");
  }
  TensorLook look;
  const StoredView view = SeePlain(dump, tensor).view;
  ASSIGN_OR_RETURN(const OpenView side, OpenView::Open(view));
  const WorkBuffers buffers;
  ASSIGN_OR_RETURN(PairBlocks blocks,
                   PairBlocks::Open(side, side, {0, RealCount(view)},
                                    ReadMode::kRead, buffers));
  while (true) {
    ASSIGN_OR_RETURN(const TilePair tile, blocks.Next());
    if (tile.n == 0) return look;
    ReduceTile(tile, view.dtype(), view.dtype(), options, look.stats);
    AddValues(tile, tensor.stored.dtype, values, look);
  }
}

Result<FoundTensor> FindTensor(const Dump& dump, std::string_view name) {
  std::vector<std::string_view> names;
  FoundTensor found;
  for (const TensorInfo& tensor : dump.tensors) {
    names.push_back(dump.NameOf(tensor));
    if (!IsCalled(dump, tensor, name)) continue;
    ++found.count;
    if (found.count == 1) found.tensor = &tensor;
    if (found.count == 2) found.next = &tensor;
  }
  if (found.count > 0) return found;
  return NotFound("no tensor is called '{}'", name)
      .At(dump.source)
      .Hint(DidYouMean(name, names));
}

namespace {

Result<const TensorInfo*> FindOperand(const Dump& dump,
                                      const Operand& operand) {
  for (const TensorInfo& tensor : dump.tensors) {
    if (dump.files[tensor.file] == operand.file &&
        tensor.stored.name == operand.tensor) {
      return &tensor;
    }
  }
  return NotFound("{} is no longer there", operand.file)
      .At(dump.source)
      .Hint("the run was made from other files");
}

Error NotMeasured(const Row& row) {
  return Unsupported("the row was not measured: {}", row.why);
}

// A graph told how to see the tensors, and a run does not keep that.
Error SeenOtherwise(const Row& row) {
  return Unsupported("without the graph it cannot be seen as it was: {}",
                     row.steps.empty() ? "as it is stored" : row.steps.front())
      .Hint("compare again with the graph");
}

}  // namespace

Result<RunDumps> ReopenRun(const Comparison& run, const OpenOptions& options) {
  RunDumps dumps;
  ASSIGN_OR_RETURN(dumps.golden, OpenSource(run.golden.source, options));
  ASSIGN_OR_RETURN(dumps.target, OpenSource(run.target.source, options));
  return dumps;
}

Result<MeasureJob> JobOfRow(const RunDumps& dumps, const Row& row) {
  if (row.golden.empty() || row.target.empty()) return NotMeasured(row);
  const bool own = row.why_paired == kOwnInput;
  const Dump& first = own ? dumps.target : dumps.golden;
  ASSIGN_OR_RETURN(const TensorInfo* g, FindOperand(first, row.golden.front()));
  ASSIGN_OR_RETURN(const TensorInfo* t,
                   FindOperand(dumps.target, row.target.front()));
  Planned planned = PlanTwo(first, *g, dumps.target, *t);
  if (planned.BySummary() || !planned.job) return NotMeasured(row);
  if (planned.row.steps != row.steps) return SeenOtherwise(row);
  return *std::move(planned.job);
}

}  // namespace assay
