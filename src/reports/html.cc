// The page as one file that needs no network: style, script and data inside.
// The data is base64, so that no name in it can be taken for HTML.
#include <string>

#include "base/base64.h"
#include "reports/page_data.h"
#include "reports/page_html.h"
#include "reports/report.h"

namespace assay {
namespace {

Status Write(const Comparison& c, const ReportOptions&, OutputFile& out) {
  RETURN_IF_ERROR(NeedPage());
  ASSIGN_OR_RETURN(const std::string data, PageData(c));
  RETURN_IF_ERROR(out.Append(PageHead(PageRun::kInside)));
  RETURN_IF_ERROR(
      out.Append("<script type=\"application/octet-stream\" id=\"data\">"));
  RETURN_IF_ERROR(out.Append(ToBase64(data)));
  RETURN_IF_ERROR(out.Append("</script>\n"));
  return out.Append(PageTail());
}

}  // namespace

extern constinit const Report kHtmlReport = {
    .name = "html",
    .suffix = ".html",
    .summary = "the page: table, scatter, graphs, lens; one file, no network",
    .write = Write,
    .check = NeedPage,
};

}  // namespace assay
