// Dumps of the Ascend transformer library (ATB), and what msit dumps of the
// PyTorch model beside it:
//   .../DEVICE_PID/TOKEN/0_Model/2_Linear/before|after/{in,out}tensorK.bin
//   .../torch_tensors/DEVICE_PID/TOKEN/MODULE/{input,output}[_K].pth
// An operator is called by its folders below TOKEN; the process number is
// another one in each run and says nothing.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "base/text.h"
#include "sources/digits.h"
#include "sources/plain_names.h"
#include "sources/tree.h"

namespace assay {
namespace {

struct AtbFile {
  std::string_view op;
  Port port = Port::kNone;
  int32_t index = 0;
  int32_t device = -1, token = -1;
};

// "7" for the rest of "intensor7" after "intensor"; nothing but a number.
bool TakeSlot(std::string_view stem, std::string_view mark, Port port,
              AtbFile& out) {
  if (!stem.starts_with(mark)) return false;
  stem.remove_prefix(mark.size());
  const auto index = ParseSmall(stem);
  if (!index) return false;
  out.port = port;
  out.index = *index;
  return true;
}

// The operator's folder, if the name is one of ours.
std::optional<std::string_view> TakeFile(std::string_view file, AtbFile& out) {
  const std::string_view name = NameIn(file), folder = FolderOf(file);
  const std::string_view stem = name.substr(0, name.rfind('.'));
  const std::string_view when = NameIn(folder);
  if (name.ends_with(".bin")) {
    const bool known =
        (when == "before" && TakeSlot(stem, "intensor", Port::kInput, out)) ||
        (when == "after" && TakeSlot(stem, "outtensor", Port::kOutput, out));
    return known ? std::optional(FolderOf(folder)) : std::nullopt;
  }
  if (!name.ends_with(".pth")) return std::nullopt;
  out.port = stem.starts_with("input") ? Port::kInput : Port::kOutput;
  const bool known = stem == "input" || stem == "output" ||
                     TakeSlot(stem, "input_", Port::kInput, out) ||
                     TakeSlot(stem, "output_", Port::kOutput, out);
  return known ? std::optional(folder) : std::nullopt;
}

// "0_12345": the device and a process.
std::optional<int32_t> DeviceOf(std::string_view level) {
  const size_t bar = level.find('_');
  if (bar == std::string_view::npos || !AllDigits(level.substr(bar + 1))) {
    return std::nullopt;
  }
  return ParseSmall(level.substr(0, bar));
}

// Above the operator stand DEVICE_PID and TOKEN, if they were opened too.
std::optional<AtbFile> Parse(std::string_view file) {
  AtbFile out;
  const auto folder = TakeFile(file, out);
  if (!folder) return std::nullopt;
  out.op = *folder;
  for (std::string_view rest = *folder; !rest.empty();) {
    const std::string_view level = rest.substr(0, rest.find('/'));
    rest.remove_prefix(std::min(level.size() + 1, rest.size()));
    if (const auto device = DeviceOf(level)) {
      out.device = *device;
      out.op = rest;
    } else if (const auto token = ParseSmall(level)) {
      out.token = *token;
      out.op = rest;
      break;  // what follows is the operator's own
    }
  }
  return out.op.empty() ? std::nullopt : std::optional(out);
}

// The numbers in front of an operator's folders say when it ran; "10_" comes
// after "2_".
struct InOrder {
  bool operator()(std::string_view a, std::string_view b) const {
    const auto x = Split(a, '/'), y = Split(b, '/');
    return std::lexicographical_compare(
        x.begin(), x.end(), y.begin(), y.end(), [](auto p, auto q) {
          const auto number = [](std::string_view s) {
            return ParseSmall(s.substr(0, s.find('_'))).value_or(INT32_MAX);
          };
          return std::pair(number(p), p) < std::pair(number(q), q);
        });
  }
};

class Builder {
 public:
  Builder(const std::vector<std::string>& files, Dump& dump) : dump_(dump) {
    for (const std::string& file : files) {
      const auto parsed = Parse(file);
      if (!parsed) continue;
      orders_.emplace(parsed->op, 0);
      devices_.insert(parsed->device);
    }
    int64_t order = 0;
    for (auto& [op, number] : orders_) number = order++;
  }

  // False: not a file of ours, or not one tensor.
  bool Add(uint32_t i, Result<Listing>& listing) {
    const auto parsed = Parse(dump_.files[i]);
    if (!parsed || (listing && listing->tensors.size() != 1)) return false;
    TensorInfo& tensor = dump_.tensors.emplace_back();
    tensor.file = i;
    tensor.id = IdOf(*parsed);
    tensor.name = dump_.names.Intern(
        fmt::format("{}:{}:{}", parsed->op, Name(parsed->port), parsed->index));
    if (listing) {
      tensor.stored = std::move(listing->tensors.front());
    } else {
      tensor.stored.dtype = DType::kOpaque;
      tensor.stored.error =
          std::make_shared<const Error>(std::move(listing).error());
    }
    return true;
  }

 private:
  TensorId IdOf(const AtbFile& file) {
    TensorId id{.op = dump_.names.Intern(file.op),
                .port = file.port,
                .order_from = OrderFrom::kIndex,
                .index = file.index,
                .step = file.token,
                .order = orders_.find(file.op)->second};
    const std::string_view last = NameIn(file.op);
    const size_t bar = last.find('_');
    if (bar != std::string_view::npos && AllDigits(last.substr(0, bar))) {
      id.type = dump_.names.Intern(last.substr(bar + 1));
    }
    if (devices_.size() > 1) id.rank = file.device;
    return id;
  }

  Dump& dump_;
  std::map<std::string_view, int64_t, InOrder> orders_;
  std::set<int32_t> devices_;
};

// "output.pth" alone is anybody's.
bool IsMsit(const std::string& path, const std::string& found) {
  std::error_code ignored;
  const std::string whole =
      std::filesystem::absolute(path, ignored).native() + "/" + found;
  return whole.find("/torch_tensors/") != std::string::npos;
}

bool IsWanted(std::string_view name) {
  if (!name.ends_with(".bin") && !name.ends_with(".pth")) return false;
  AtbFile out;
  return TakeFile(fmt::format("before/{}", name), out) ||
         TakeFile(fmt::format("after/{}", name), out);
}

std::string Recognise(const Glimpse& glimpse) {
  if (!glimpse.is_folder()) return "";
  const std::string found = glimpse.Find(IsWanted);
  if (!Parse(found) ||
      (found.ends_with(".pth") && !IsMsit(glimpse.path(), found))) {
    return "";
  }
  return fmt::format("it has files named like dumps of ATB or msit: {}", found);
}

Result<Dump> Open(const std::string& path, const OpenOptions& options) {
  ASSIGN_OR_RETURN(Tree tree, WalkTree(path));
  Listings listings = ListAll(tree.root, tree.files, options);
  Dump dump{.root = std::move(tree.root),
            .files = std::move(tree.files),
            .notes = std::move(tree.notes)};
  Builder builder(dump.files, dump);
  for (uint32_t i = 0; i < listings.size(); ++i) {
    if (builder.Add(i, *listings[i])) continue;
    AddPlainFile(i, NameIn(dump.files[i]), *std::move(listings[i]), dump);
  }
  return dump;
}

}  // namespace

extern constinit const Source kAtbTree = {
    .name = "atb",
    .summary = "dump of the Ascend transformer library, or of msit's PyTorch",
    .recognise = Recognise,
    .open = Open,
};

}  // namespace assay
