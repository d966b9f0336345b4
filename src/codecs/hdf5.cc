// HDF5: a tree of groups with datasets as leaves.
//
// Every dataset is a tensor, called by its path. PyTorch's dump hooks write
//   OPERATOR/ORDER/input|output/PARAMETER
// and give each dataset attributes: Type (0 is a tensor; others are scalars and
// lists of the call), DeviceType (0 CPU, 1 GPU, 10 NPU) and Stride. Values in
// one piece become extents; chunks are found and decoded when they are read.
#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "base/hdf5_links.h"
#include "codecs/codec.h"
#include "codecs/hdf5_attributes.h"
#include "codecs/hdf5_type.h"
#include "kernel/hdf5_dataset.h"

namespace assay {
namespace {

constexpr size_t kLongestPath = 4096;  // keeps nested groups few

// The signature may stand behind a block for other programs.
bool IsHdf5(const Sniff& file) {
  if (file.path.ends_with(".h5") || file.path.ends_with(".hdf5")) return true;
  for (size_t at = 0; at < file.head.size(); at = at == 0 ? 512 : 2 * at) {
    if (file.head.substr(at).starts_with(kHdf5Magic)) return true;
  }
  return false;
}

const std::vector<int64_t>& Of(const Hdf5Attributes& attributes,
                               const std::string& name) {
  static const std::vector<int64_t> none;
  const auto found = attributes.find(name);
  return found == attributes.end() ? none : found->second;
}

bool IsTensor(const Hdf5Attributes& attributes) {
  const auto& type = Of(attributes, "Type");
  return type.size() != 1 || type[0] == 0;
}

// Data of a CPU or GPU stand as the strides say, where these fit.
void SetStrides(const Hdf5Attributes& attributes, StoredTensor& tensor) {
  const auto& device = Of(attributes, "DeviceType");
  const auto& strides = Of(attributes, "Stride");
  const uint64_t count = *ElementCount(tensor.shape);
  if (strides.size() != tensor.shape.size() || device.size() != 1 ||
      device[0] < 0 || device[0] > 1 || count == 0) {
    return;
  }
  uint64_t last = 0;
  int64_t row_major = 1;
  bool ordered = true;
  for (size_t k = strides.size(); k-- > 0;) {
    if (strides[k] < 0) return;
    const auto steps = static_cast<uint64_t>(tensor.shape[k] - 1);
    const auto stride = static_cast<uint64_t>(strides[k]);
    if (steps > 0 && stride > count / steps) return;
    last += steps * stride;
    if (last >= count) return;
    ordered = ordered && (steps == 0 || strides[k] == row_major);
    row_major *= tensor.shape[k];
  }
  if (ordered) return;
  tensor.strides = strides;
  if (tensor.extent.encoding == Encoding::kRaw) {
    tensor.extent.length = *ByteCount(tensor.dtype, last + 1);
  }
}

bool IsDataset(const Hdf5Header& header) {
  return FindMessage(header, Hdf5Message::kLayout) != nullptr;
}

Result<StoredTensor> Describe(const Hdf5File& file, const Hdf5Header& header,
                              uint64_t address) {
  StoredTensor tensor{.dtype = DType::kOpaque};
  if (const auto* found = FindMessage(header, Hdf5Message::kDatatype)) {
    ASSIGN_OR_RETURN(const Hdf5Message type, ResolveMessage(file, *found));
    SetHdf5Type(file, type.bytes, tensor);
  }
  const auto set = DescribeHdf5(file, header);
  if (set) tensor.shape = set->shape();
  if (tensor.dtype == DType::kOpaque) return tensor;
  if (!set) return set.error();
  if (8 * set->width != Info(tensor.dtype).bits) {
    return Corrupt("elements of {} bytes cannot be {}", set->width,
                   Name(tensor.dtype));
  }
  const uint64_t offset = file.Offset(address);
  if (set->offset || set->bytes() == 0) {
    tensor.extent = {.offset = set->offset.value_or(0), .length = set->bytes()};
  } else {
    tensor.extent = {
        .offset = offset,
        .length = std::min(set->bytes(), file.input().size() - offset),
        .encoding = Encoding::kHdf5};
  }
  return tensor;
}

class Lister {
 public:
  explicit Lister(const Hdf5File& file) : file_(file) {}

  Result<std::vector<StoredTensor>> Run() {
    ASSIGN_OR_RETURN(const Hdf5Header root,
                     ReadHdf5Header(file_, file_.root()));
    seen_.insert(file_.root());
    RETURN_IF_ERROR(AddGroup(root, ""));
    while (!groups_.empty()) {
      const auto [path, address] = std::move(groups_.back());
      groups_.pop_back();
      const auto header = ReadHdf5Header(file_, address);
      Keep(path, header ? AddGroup(*header, path + "/") : header.error());
    }
    std::ranges::sort(tensors_, {}, &StoredTensor::name);
    return std::move(tensors_);
  }

 private:
  // An object that is there but cannot be read is listed with the reason.
  void Keep(const std::string& name, Status status) {
    if (status) return;
    Error error = std::move(status).error();
    error.tensor = name;
    if (error.file.empty()) error.file = file_.input().path();
    tensors_.push_back(
        {.name = name,
         .dtype = DType::kOpaque,
         .error = std::make_shared<const Error>(std::move(error))});
  }

  // `path` is empty for the root and ends with '/' for others.
  Status AddGroup(const Hdf5Header& header, const std::string& path) {
    ASSIGN_OR_RETURN(const auto links, ReadLinks(file_, header));
    for (const Hdf5Link& link : links) {
      Keep(path + link.name, AddLinked(path + link.name, link));
    }
    return Done{};
  }

  Status AddLinked(const std::string& path, const Hdf5Link& link) {
    if (path.size() > kLongestPath) return Unsupported("the path is too long");
    if (link.kind == Hdf5Link::Kind::kSoft) return Done{};
    if (link.kind != Hdf5Link::Kind::kHard) {
      return Unsupported("a link to another file")
          .Hint("only what is in the file itself is read");
    }
    ASSIGN_OR_RETURN(const Hdf5Header header,
                     ReadHdf5Header(file_, link.address));
    if (IsDataset(header)) return AddDataset(header, path, link.address);
    // A group is entered once, however many links lead to it.
    if (HasLinks(header) && seen_.insert(link.address).second) {
      groups_.emplace_back(path, link.address);
    }
    return Done{};
  }

  Status AddDataset(const Hdf5Header& header, const std::string& path,
                    uint64_t address) {
    ASSIGN_OR_RETURN(const Hdf5Attributes attributes,
                     ReadHdf5Attributes(file_, header));
    if (!IsTensor(attributes)) return Done{};
    ASSIGN_OR_RETURN(StoredTensor tensor, Describe(file_, header, address));
    if (tensor.dtype != DType::kOpaque) SetStrides(attributes, tensor);
    tensor.name = path;
    tensors_.push_back(std::move(tensor));
    return Done{};
  }

  const Hdf5File& file_;
  std::set<uint64_t> seen_;
  std::vector<std::pair<std::string, uint64_t>> groups_;
  std::vector<StoredTensor> tensors_;
};

Result<std::vector<StoredTensor>> List(const InputFile& input,
                                       const CodecHints&) {
  ASSIGN_OR_RETURN(const Hdf5File file, Hdf5File::Open(input));
  return Lister(file).Run();
}

}  // namespace

extern constinit const Codec kHdf5 = {
    .name = "hdf5",
    .summary = "HDF5, every dataset of numbers",
    .extensions = ".h5 .hdf5",
    .sniff = IsHdf5,
    .list = List,
    .write = nullptr,
    .many = true,
};

}  // namespace assay
