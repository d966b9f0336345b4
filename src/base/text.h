#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

std::vector<std::string_view> Split(std::string_view text, char separator);
std::string_view Trim(std::string_view text);
std::string Lower(std::string_view text);
// Spreadsheets put U+FEFF in front of the tables that they save.
std::string_view WithoutByteOrderMark(std::string_view text);

// Shortest text that reads back as the same double: "0.1", "1e+300", "nan".
std::string ShortestText(double value);
// For people: at most `digits` significant digits.
std::string RoundedText(double value, int digits = 4);
std::string BytesText(uint64_t bytes);  // "1.5 GiB"
// "1 tensor", "14 tensors".
std::string Counted(uint64_t n, std::string_view noun);
// "64M", "1.5G", "4096"; powers of 1024.
std::optional<uint64_t> ParseBytes(std::string_view text);

// The number of single-letter changes (insert, delete, replace, swap) from one
// word to another.
size_t EditDistance(std::string_view a, std::string_view b);
// The candidate a mistyped word most likely meant; empty if none is near.
std::string_view Nearest(std::string_view word,
                         std::span<const std::string_view> candidates);
// "did you mean 'cosine'? " if one is near, then `rest`.
std::string DidYouMean(std::string_view word,
                       std::span<const std::string_view> candidates,
                       std::string_view rest = "");

}  // namespace assay
