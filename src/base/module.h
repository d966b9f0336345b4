#pragma once

#include <string>

#include "base/result.h"

namespace assay {

// The function `entry` of one of our modules. What a module links would cost
// milliseconds at every start (cpp-httplib and libxlsxwriter bring OpenSSL);
// this way only those pay who use it.
Result<void*> LoadModule(const std::string& module, const char* entry);

}  // namespace assay
