#include "kernel/hdf5_guard.h"

#include <cctype>

#include "kernel/hdf5_driver.h"

namespace assay {
namespace {

std::unique_lock<std::mutex> Lock() {
  static std::mutex mutex;
  return std::unique_lock(mutex);
}

// A file must not be able to make the library open another file or load code.
bool Prepare() {
  H5Lunregister(H5L_TYPE_EXTERNAL);
  H5PLset_loading_state(0);
  return true;
}

herr_t KeepFirst(unsigned n, const H5E_error2_t* entry, void* text) {
  if (n == 0 && entry->desc != nullptr) {
    *static_cast<std::string*>(text) = entry->desc;
  }
  return 0;
}

}  // namespace

Hdf5Guard::Hdf5Guard() : lock_(Lock()) {
  // Where the library has threads, each of them prints errors until told.
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  [[maybe_unused]] static const bool prepared = Prepare();
}

std::string Printable(std::string text) {
  for (char& c : text) {
    if (std::iscntrl(static_cast<unsigned char>(c)) != 0) c = '?';
  }
  return text;
}

Error Hdf5Error(std::string_view path) {
  std::string text;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, KeepFirst, &text);
  H5Eclear2(H5E_DEFAULT);
  if (text.empty()) text = "libhdf5 does not say why";
  return Corrupt("cannot be read as HDF5: {}", Printable(std::move(text)))
      .At(path)
      .Hint("the file is damaged or truncated; dump or copy it again");
}

Result<Hdf5Id> OpenHdf5(const InputFile& file) {
  const Hdf5Id access = Hdf5Access(file);
  Hdf5Id opened(H5Fopen(file.path().c_str(), H5F_ACC_RDONLY, access.get()));
  if (!opened.ok()) return Hdf5Error(file.path());
  return opened;
}

}  // namespace assay
