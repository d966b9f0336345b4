#include "reports/page_assets.h"

// The assembler copies a file into the program as it is: no generator, and
// nothing to compile however large the file. The build names the files.
// NOLINTBEGIN(cppcoreguidelines-avoid-*,bugprone-*)
#define ASSAY_EMBED(name, file)                                    \
  asm(".section .rodata\n" #name ":\n.incbin \"" file "\"\n" #name \
      "_end:\n.byte 0\n.global " #name "\n.global " #name          \
      "_end\n.previous\n");                                        \
  extern "C" const char name[], name##_end[];                      \
  namespace {                                                      \
  std::string_view Text_##name() {                                 \
    return {name, static_cast<size_t>(name##_end - name)};         \
  }                                                                \
  }

ASSAY_EMBED(assay_strings_en, ASSAY_STRINGS_EN)
ASSAY_EMBED(assay_strings_zh, ASSAY_STRINGS_ZH)
#ifdef ASSAY_PAGE_JS
ASSAY_EMBED(assay_page_js, ASSAY_PAGE_JS)
ASSAY_EMBED(assay_page_css, ASSAY_PAGE_CSS)
#endif
// NOLINTEND(cppcoreguidelines-avoid-*,bugprone-*)

namespace assay {

#ifdef ASSAY_PAGE_JS
std::string_view PageScript() { return Text_assay_page_js(); }
std::string_view PageStyle() { return Text_assay_page_css(); }
#else
std::string_view PageScript() { return ""; }
std::string_view PageStyle() { return ""; }
#endif

std::string_view StringsFile(std::string_view language) {
  return language == "zh" ? Text_assay_strings_zh() : Text_assay_strings_en();
}

}  // namespace assay
