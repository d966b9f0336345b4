#include "legacy/hook_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/hdf5_links.h"
#include "base/input_file.h"
#include "codecs/hdf5_attributes.h"
#include "legacy/old_files.h"
#include "sources/digits.h"
#include "sources/source.h"

namespace assay {
namespace {

constexpr int kDeepest = 32;  // groups in groups

bool IsInput(std::string_view path) {
  for (int level = 0; level < 2; ++level) path = path.substr(path.find('/', 1));
  return path == "/input" || path.starts_with("/input/");
}

std::optional<int64_t> One(const Hdf5Attributes& attributes, const char* name) {
  const auto found = attributes.find(name);
  if (found == attributes.end() || found->second.size() != 1) return {};
  return found->second[0];
}

// Goes through the groups; what cannot be read has no tensors.
class Walker {
 public:
  Walker(const Hdf5File& file, HookFile& out) : file_(file), out_(out) {
    for (const TensorInfo& t : out.dump.tensors) {
      tensors_.emplace("/" + t.stored.name, &t);
    }
  }

  Status Run() {
    ASSIGN_OR_RETURN(const auto ops, LinksOf(file_.root()));
    for (const Hdf5Link& op : ops) {
      const auto orders = LinksOf(op.address);
      if (!orders) continue;
      for (const Hdf5Link& link : *orders) AddCall(op.name, link);
    }
    return Done{};
  }

 private:
  Result<std::vector<Hdf5Link>> LinksOf(uint64_t address) const {
    ASSIGN_OR_RETURN(const Hdf5Header header, ReadHdf5Header(file_, address));
    ASSIGN_OR_RETURN(std::vector<Hdf5Link> links, ReadLinks(file_, header));
    std::erase_if(links, [](const Hdf5Link& link) {
      return link.kind != Hdf5Link::Kind::kHard;
    });
    std::ranges::sort(links, {}, &Hdf5Link::name);
    return links;
  }

  void AddCall(const std::string& op, const Hdf5Link& link) {
    const auto order = ParseSmall(link.name);
    if (!order) return;
    HookCall& call = out_.calls.emplace_back();
    call.op = op;
    call.order = *order;
    AddBelow(fmt::format("/{}/{}", op, call.order), link.address, kDeepest);
  }

  void AddBelow(const std::string& path, uint64_t address, int deeper) {
    // A group that links itself is gone through once.
    if (deeper == 0 || !seen_.insert(address).second) return;
    const auto links = LinksOf(address);
    if (!links) return;
    for (const Hdf5Link& link : *links) {
      const std::string below = path + "/" + link.name;
      out_.has_inputs = out_.has_inputs || IsInput(below);
      const auto header = ReadHdf5Header(file_, link.address);
      if (!header) continue;
      if (FindMessage(*header, Hdf5Message::kLayout) == nullptr) {
        AddBelow(below, link.address, deeper - 1);
      } else {
        AddDataset(below, *header);
      }
    }
  }

  // Only what the hooks say is a tensor; who says nothing means one.
  void AddDataset(const std::string& path, const Hdf5Header& header) {
    const auto attributes = ReadHdf5Attributes(file_, header);
    const auto tensor = tensors_.find(path);
    if (!attributes || tensor == tensors_.end()) return;
    if (!attributes->empty() && One(*attributes, "Type") != 0) return;
    out_.calls.back().datasets.push_back(
        {.path = path,
         .tensor = tensor->second,
         .type = One(*attributes, "DataType"),
         .device = One(*attributes, "DeviceType"),
         .has_stride = attributes->contains("Stride")});
  }

  const Hdf5File& file_;
  HookFile& out_;
  std::map<std::string, const TensorInfo*> tensors_;
  std::set<uint64_t> seen_;  // groups
};

// Executions are counted in their order. Two operators that are one on the
// device count together, where the first of them would stand.
void Number(std::vector<HookCall>& calls) {
  constexpr std::string_view kFirst = "CudnnConvolutionBackward";
  const bool both = std::ranges::count(calls, kFirst, &HookCall::op) > 0;
  const auto counted_as = [&](const HookCall& call) -> std::string_view {
    if (both && call.op == "ThnnConvDepthwise2DBackward") return kFirst;
    return call.op;
  };
  std::ranges::stable_sort(calls, {}, [&](const HookCall& call) {
    return std::pair(std::string(counted_as(call)), call.order);
  });
  for (size_t i = 1; i < calls.size(); ++i) {
    const bool same = counted_as(calls[i]) == counted_as(calls[i - 1]);
    calls[i].number = same ? calls[i - 1].number + 1 : 0;
  }
}

// A file without any tensor is no source, but it has a table.
Status Read(const std::string& path, HookFile& out) {
  ASSIGN_OR_RETURN(const InputFile input, InputFile::Open(path));
  ASSIGN_OR_RETURN(const Hdf5File file, Hdf5File::Open(input));
  if (auto dump = OpenSource(path, {})) out.dump = *std::move(dump);
  RETURN_IF_ERROR(Walker(file, out).Run());
  Number(out.calls);
  return Done{};
}

}  // namespace

std::string HookCall::Name() const { return fmt::format("{}:{}", op, number); }

OldResult<HookFile> HookFile::Open(const std::string& path) {
  HookFile file;
  if (const Status read = Read(path, file); !read) {
    return Failure(OldCode::kOpen, read.error());
  }
  file.Index();
  return file;
}

void HookFile::DropInputs() {
  for (HookCall& call : calls) {
    std::erase_if(call.datasets,
                  [](const HookDataset& d) { return IsInput(d.path); });
  }
  Index();
}

void HookFile::Index() {
  by_name_.clear();
  by_path_.clear();
  device.reset();
  for (size_t i = 0; i < calls.size(); ++i) {
    by_name_.emplace(calls[i].Name(), i);
    for (size_t k = 0; k < calls[i].datasets.size(); ++k) {
      const HookDataset& dataset = calls[i].datasets[k];
      by_path_.emplace(dataset.path, std::pair(i, k));
      if (device.value_or(0) == 0) device = dataset.device;
    }
  }
}

const HookCall* HookFile::Find(const std::string& name) const {
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) return nullptr;
  const HookCall& call = calls[found->second];
  return call.datasets.empty() ? nullptr : &call;
}

const HookDataset* HookFile::FindDataset(const std::string& path) const {
  const auto found = by_path_.find(path);
  if (found == by_path_.end()) return nullptr;
  return &calls[found->second.first].datasets[found->second.second];
}

int64_t HookFile::OrderOf(const std::string& name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? Behind() : calls[found->second].order;
}

int64_t HookFile::Behind() const {
  int64_t behind = 0;
  for (const HookCall& call : calls) behind = std::max(behind, call.order + 1);
  return behind;
}

}  // namespace assay
