#include "reports/page_html.h"

#include "reports/page_assets.h"

namespace assay {
namespace {

constexpr std::string_view kHead = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'">
<link rel="icon" href="data:,">
<title>assay</title>
<style>
)";

}  // namespace

Status NeedPage() {
  if (!PageScript().empty()) return Done{};
  return Unsupported("this program was built without the page")
      .Hint("build it without -DASSAY_WEB=OFF");
}

std::string PageHead(PageRun run) {
  std::string html(kHead);
  html += PageStyle();
  html += "</style>\n</head>\n<body data-run=\"";
  html += run == PageRun::kInside ? "inside" : "server";
  html +=
      "\">\n<div id=\"page\"></div>\n<noscript>This page needs "
      "JavaScript.</noscript>\n<script>\n";
  html += PageScript();
  return html + "</script>\n";
}

std::string PageTail() { return "</body>\n</html>\n"; }

}  // namespace assay
