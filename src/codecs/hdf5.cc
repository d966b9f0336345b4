// HDF5: a tree of groups with datasets as leaves.
//
// Every dataset is a tensor, called by its path. PyTorch's dump hooks write
//   OPERATOR/ORDER/input|output/PARAMETER
// and give each dataset attributes: Type (0 is a tensor; others are scalars and
// lists of the call), DeviceType (0 CPU, 1 GPU, 10 NPU) and Stride. Values that
// stand in the file element after element become extents; the rest is read
// through libhdf5.
#include <algorithm>
#include <set>
#include <utility>

#include "codecs/codec.h"
#include "codecs/hdf5_type.h"
#include "kernel/hdf5_dataset.h"

namespace assay {
namespace {

constexpr std::string_view kMagic = "\x89HDF\r\n\x1a\n";
constexpr size_t kLongestPath = 4096;  // keeps nested groups few
constexpr std::string_view kInside = "only what is in the file itself is read";

// The signature may stand behind a block for other programs.
bool IsHdf5(const Sniff& file) {
  if (file.path.ends_with(".h5") || file.path.ends_with(".hdf5")) return true;
  for (size_t at = 0; at < file.head.size(); at = at == 0 ? 512 : 2 * at) {
    if (file.head.substr(at).starts_with(kMagic)) return true;
  }
  return false;
}

struct Link {
  std::string name;
  H5L_type_t type;
  haddr_t address;  // of a hard link's object
};

herr_t AddLink(hid_t, const char* name, const H5L_info_t* info, void* links) {
  static_cast<std::vector<Link>*>(links)->push_back(
      {name, info->type, info->u.address});
  return 0;
}

// The integers of an attribute; empty if there are none of that name.
Result<std::vector<int64_t>> Integers(hid_t object, const char* name) {
  const htri_t exists = H5Aexists(object, name);
  if (exists < 0) return Hdf5Error({});
  if (exists == 0) return std::vector<int64_t>();
  const Hdf5Id attribute(H5Aopen(object, name, H5P_DEFAULT));
  if (!attribute.ok()) return Hdf5Error({});
  const Hdf5Id type(H5Aget_type(attribute.get()));
  const Hdf5Id space(H5Aget_space(attribute.get()));
  const hssize_t count = H5Sget_simple_extent_npoints(space.get());
  if (H5Tget_class(type.get()) != H5T_INTEGER || count < 1 ||
      count > H5S_MAX_RANK) {
    return std::vector<int64_t>();
  }
  std::vector<int64_t> values(static_cast<size_t>(count));
  if (H5Aread(attribute.get(), H5T_NATIVE_INT64, values.data()) < 0) {
    return Hdf5Error({});
  }
  return values;
}

// Data of a CPU or GPU stand as the strides say, where these fit.
Status ReadStrides(hid_t dataset, StoredTensor& tensor) {
  ASSIGN_OR_RETURN(const auto device, Integers(dataset, "DeviceType"));
  ASSIGN_OR_RETURN(const auto strides, Integers(dataset, "Stride"));
  const uint64_t count = *ElementCount(tensor.shape);
  if (strides.size() != tensor.shape.size() || device.size() != 1 ||
      device[0] < 0 || device[0] > 1 || count == 0) {
    return Done{};
  }
  uint64_t last = 0;
  int64_t row_major = 1;
  bool ordered = true;
  for (size_t k = strides.size(); k-- > 0;) {
    if (strides[k] < 0) return Done{};
    const auto steps = static_cast<uint64_t>(tensor.shape[k] - 1);
    const auto stride = static_cast<uint64_t>(strides[k]);
    if (steps > 0 && stride > count / steps) return Done{};
    last += steps * stride;
    if (last >= count) return Done{};
    ordered = ordered && (steps == 0 || strides[k] == row_major);
    row_major *= tensor.shape[k];
  }
  if (ordered) return Done{};
  tensor.strides = strides;
  if (tensor.extent.encoding == Encoding::kRaw) {
    tensor.extent.length = *ByteCount(tensor.dtype, last + 1);
  }
  return Done{};
}

// An object that is there but cannot be read.
StoredTensor Unreadable(std::string name, std::string_view path, Error error) {
  ErrorRef why =
      std::make_shared<const Error>(std::move(error).At(path).Of(name));
  return {.name = std::move(name),
          .dtype = DType::kOpaque,
          .error = std::move(why)};
}

Result<StoredTensor> Describe(Hdf5Id id, const InputFile& file) {
  const Hdf5Id type(H5Dget_type(id.get()));
  if (!type.ok()) return Hdf5Error({});
  StoredTensor tensor;
  SetHdf5Type(type.get(), tensor);
  const auto set = DescribeHdf5(std::move(id), file.size());
  if (tensor.dtype != DType::kOpaque && !set) return set.error();
  if (set) tensor.shape = set->shape;
  if (tensor.dtype == DType::kOpaque) return tensor;
  if (set->offset) {
    tensor.extent = {.offset = *set->offset, .length = set->bytes()};
  } else {
    tensor.extent = {.length = std::min(set->stored, file.size()),
                     .encoding = Encoding::kHdf5};
  }
  RETURN_IF_ERROR(ReadStrides(set->id.get(), tensor));
  return tensor;
}

class Lister {
 public:
  Lister(const InputFile& file, hid_t root) : file_(file), root_(root) {}

  Result<std::vector<StoredTensor>> All() {
    H5O_info_t info;
    if (H5Oget_info2(root_, &info, H5O_INFO_BASIC) < 0) return Hdf5Error({});
    seen_.insert(info.addr);
    RETURN_IF_ERROR(AddGroup(""));
    while (!groups_.empty()) {
      const std::string path = std::move(groups_.back());
      groups_.pop_back();
      Keep(path, AddGroup(path + "/"));
    }
    std::ranges::sort(tensors_, {}, &StoredTensor::name);
    return std::move(tensors_);
  }

 private:
  void Keep(std::string name, Status status) {
    if (status) return;
    tensors_.push_back(
        Unreadable(std::move(name), file_.path(), std::move(status).error()));
  }

  // `path` is empty for the root and ends with '/' for others.
  Status AddGroup(const std::string& path) {
    const Hdf5Id group(H5Gopen2(root_, ("/" + path).c_str(), H5P_DEFAULT));
    std::vector<Link> links;
    if (!group.ok() || H5Literate(group.get(), H5_INDEX_NAME, H5_ITER_NATIVE,
                                  nullptr, AddLink, &links) < 0) {
      return Hdf5Error({});
    }
    for (const Link& link : links) {
      Keep(path + link.name, AddLinked(group.get(), path, link));
    }
    return Done{};
  }

  Status AddLinked(hid_t group, const std::string& path, const Link& link) {
    if (link.name.empty() || link.name == "." ||
        link.name.find('/') != std::string::npos ||
        path.size() + link.name.size() > kLongestPath) {
      return Corrupt("no object can have this name");
    }
    if (link.type == H5L_TYPE_SOFT) return Done{};  // a second name
    if (link.type != H5L_TYPE_HARD) {
      return Unsupported("a link to another file").Hint(kInside);
    }
    Hdf5Id object(H5Oopen(group, link.name.c_str(), H5P_DEFAULT));
    if (!object.ok()) return Hdf5Error({});
    const H5I_type_t kind = H5Iget_type(object.get());
    if (kind == H5I_DATASET) {
      return AddDataset(std::move(object), path + link.name);
    }
    // A group is entered once, however many links lead to it.
    if (kind == H5I_GROUP && seen_.insert(link.address).second) {
      groups_.push_back(path + link.name);
    }
    return Done{};
  }

  Status AddDataset(Hdf5Id dataset, std::string name) {
    ASSIGN_OR_RETURN(const auto kind, Integers(dataset.get(), "Type"));
    if (kind.size() == 1 && kind[0] != 0) return Done{};  // no tensor
    ASSIGN_OR_RETURN(StoredTensor tensor, Describe(std::move(dataset), file_));
    tensor.name = std::move(name);
    tensors_.push_back(std::move(tensor));
    return Done{};
  }

  const InputFile& file_;
  const hid_t root_;
  std::set<haddr_t> seen_;
  std::vector<std::string> groups_;
  std::vector<StoredTensor> tensors_;
};

Result<std::vector<StoredTensor>> List(const InputFile& file,
                                       const CodecHints&) {
  const Hdf5Guard guard;
  ASSIGN_OR_RETURN(const Hdf5Id root, OpenHdf5(file));
  auto tensors = Lister(file, root.get()).All();
  if (!tensors) return std::move(tensors).error().At(file.path());
  return tensors;
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
