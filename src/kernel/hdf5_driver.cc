#include "kernel/hdf5_driver.h"

#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

#include <cstdint>
#include <memory>

namespace assay {
namespace {

// The library knows a file by its first member and keeps the end of what it
// believes to be the file in ours.
struct DriverFile {
  H5FD_t base = {};
  const InputFile* input = nullptr;
  haddr_t end = 0;
};

DriverFile* Ours(H5FD_t* file) { return reinterpret_cast<DriverFile*>(file); }
const DriverFile* Ours(const H5FD_t* file) {
  return reinterpret_cast<const DriverFile*>(file);
}

H5FD_t* Open(const char*, unsigned flags, hid_t access, haddr_t) {
  const auto* input =
      static_cast<const InputFile* const*>(H5Pget_driver_info(access));
  if (input == nullptr || (flags & H5F_ACC_RDWR) != 0) return nullptr;
  auto file = std::make_unique<DriverFile>();
  file->input = *input;
  return &file.release()->base;
}

herr_t Close(H5FD_t* file) {
  delete Ours(file);
  return 0;
}

herr_t Query(const H5FD_t*, unsigned long* flags) {
  if (flags != nullptr) *flags = H5FD_FEAT_DATA_SIEVE;
  return 0;
}

herr_t Failed(const std::string& why) {
  H5Epush2(H5E_DEFAULT, "", "", 0, H5E_ERR_CLS, H5E_IO, H5E_READERROR, "%s",
           why.c_str());
  return -1;
}

herr_t Read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t offset, size_t size,
            void* out) {
  const InputFile& input = *Ours(file)->input;
  if (offset > input.size() || size > input.size() - offset) {
    return Failed(
        fmt::format("{} bytes at byte {} are beyond the end", size, offset));
  }
  const Status read =
      input.ReadAt(offset, {static_cast<std::byte*>(out), size});
  return read ? 0 : Failed(read.error().what);
}

herr_t Write(H5FD_t*, H5FD_mem_t, hid_t, haddr_t, size_t, const void*) {
  return -1;
}

hid_t RegisterDriver() {
  static H5FD_class_t driver = {};
#if H5_VERSION_GE(1, 13, 0)
  driver.version = H5FD_CLASS_VERSION;
  driver.value = static_cast<H5FD_class_value_t>(600);  // 512.. are for users
#endif
  driver.name = "assay";
  driver.maxaddr = INT64_MAX;
  driver.fc_degree = H5F_CLOSE_STRONG;
  driver.fapl_size = sizeof(const InputFile*);
  driver.open = Open;
  driver.close = Close;
  driver.query = Query;
  driver.get_eoa = [](const H5FD_t* file, H5FD_mem_t) {
    return Ours(file)->end;
  };
  driver.set_eoa = [](H5FD_t* file, H5FD_mem_t, haddr_t end) -> herr_t {
    Ours(file)->end = end;
    return 0;
  };
  driver.get_eof = [](const H5FD_t* file, H5FD_mem_t) -> haddr_t {
    return Ours(file)->input->size();
  };
  driver.read = Read;
  driver.write = Write;
  return H5FDregister(&driver);
}

}  // namespace

Hdf5Id Hdf5Access(const InputFile& file) {
  static const hid_t driver = RegisterDriver();
  Hdf5Id access(H5Pcreate(H5P_FILE_ACCESS));
  const InputFile* const input = &file;
  H5Pset_driver(access.get(), driver, &input);
  // Whatever a damaged file leaves open goes with it.
  H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG);
  return access;
}

}  // namespace assay
