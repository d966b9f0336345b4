#pragma once

#include <string>

namespace assay {

// The page's HTML around its data; the policy lets it talk to nobody but the
// server it came from.
std::string PageHead();
std::string PageTail();

}  // namespace assay
