#pragma once

#include <string>

#include "base/result.h"

namespace assay {

// An error: this program was built without the page.
Status NeedPage();

// The page's HTML before and after its data: the script comes first, so that
// something can be seen while millions of bytes are still being read. The
// policy lets it talk to nobody but the server it came from.
enum class PageRun { kInside, kFromServer };
std::string PageHead(PageRun run);
std::string PageTail();

}  // namespace assay
