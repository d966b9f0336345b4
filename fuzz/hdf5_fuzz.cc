#include "list_bytes.h"

// libhdf5 asks for as much memory as a file claims, reads nothing into it and
// gives it back; and it loses some where it meets an error. Neither is what we
// look for here.
extern "C" const char* __asan_default_options() {
  return "allocator_may_return_null=1";
}
extern "C" const char* __lsan_default_suppressions() { return "leak:H5"; }

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  static std::vector<char*> arguments(*argv, *argv + *argc);
  static char no_limit[] = "-malloc_limit_mb=1000000";
  arguments.insert(arguments.begin() + 1, no_limit);
  *argc = static_cast<int>(arguments.size());
  arguments.push_back(nullptr);
  *argv = arguments.data();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  assay::ListBytes("hdf5", data, size);
  return 0;
}
