#include "base/mapped_window.h"

#include <gtest/gtest.h>

#include "temp_file.h"

namespace assay {
namespace {

constexpr size_t kPage = 4096;

// Bytes that tell where they stand.
std::string Numbered(size_t length) {
  std::string bytes(length, '\0');
  for (size_t i = 0; i < length; ++i) {
    bytes[i] = static_cast<char>(1 + (i + i / 251) % 250);  // never 0
  }
  return bytes;
}

size_t CountZeros(const MappedWindow& window, size_t length) {
  const volatile std::byte* data = window.data();
  size_t zeros = 0;
  for (size_t i = 0; i < length; ++i) zeros += data[i] == std::byte{0};
  return zeros;
}

TEST(MappedWindow, ShowsAnyPart) {
  const std::string bytes = Numbered(3 * kPage + 100);
  const TempFile temp(".f", bytes);
  const auto file = InputFile::Open(temp.path());
  ASSERT_TRUE(file);
  const struct {
    uint64_t offset;
    size_t length;
  } kRows[] = {{0, bytes.size()}, {0, 1},  {kPage, kPage}, {kPage - 1, 2},
               {3 * kPage, 100},  {17, 5}, {128, 0}};
  for (const auto& row : kRows) {
    const auto window = MappedWindow::Map(*file, row.offset, row.length);
    ASSERT_TRUE(window);
    const std::string_view seen(reinterpret_cast<const char*>(window->data()),
                                row.length);
    EXPECT_EQ(seen, bytes.substr(row.offset, row.length));
    EXPECT_TRUE(window->intact());
  }
}

TEST(MappedWindow, RefusesWhatIsNotThere) {
  const TempFile temp(".f", Numbered(kPage));
  const auto file = InputFile::Open(temp.path());
  ASSERT_TRUE(file);
  const struct {
    uint64_t offset;
    size_t length;
  } kRows[] = {{0, kPage + 1}, {kPage, 1}, {kPage + 1, 0}, {8, ~size_t{0}}};
  for (const auto& row : kRows) {
    const auto window = MappedWindow::Map(*file, row.offset, row.length);
    ASSERT_FALSE(window) << row.offset;
    EXPECT_EQ(window.error().code, ErrorCode::kCorrupt);
  }
}

TEST(MappedWindow, SurvivesAFileThatShrinks) {
  const struct {
    size_t left;
    size_t zeros;  // in a window over 4 pages
  } kRows[] = {
      {0, 4 * kPage},
      {kPage, 4 * kPage},      // the whole window is replaced
      {4 * kPage - 100, 100},  // inside the last page: no signal comes
  };
  for (const auto& row : kRows) {
    const TempFile temp(".f", Numbered(4 * kPage));
    const auto file = InputFile::Open(temp.path());
    ASSERT_TRUE(file);
    const auto window = MappedWindow::Map(*file, 0, 4 * kPage);
    ASSERT_TRUE(window);
    temp.Truncate(row.left);
    CountZeros(*window, 4 * kPage);
    EXPECT_EQ(CountZeros(*window, 4 * kPage), row.zeros);
    EXPECT_FALSE(window->intact()) << row.left;
  }
}

TEST(MappedWindow, OnlyTheLostWindowIsLost) {
  const TempFile bad(".1", Numbered(2 * kPage)), good(".2", Numbered(kPage));
  const auto one = InputFile::Open(bad.path());
  const auto two = InputFile::Open(good.path());
  ASSERT_TRUE(one && two);
  auto lost = MappedWindow::Map(*one, 10, kPage);
  const auto kept = MappedWindow::Map(*two, 0, kPage);
  ASSERT_TRUE(lost && kept);
  bad.Truncate(0);
  EXPECT_EQ(CountZeros(*lost, kPage), kPage);
  EXPECT_EQ(CountZeros(*kept, kPage), 0u);
  EXPECT_TRUE(kept->intact());
  MappedWindow moved = *std::move(lost);
  EXPECT_FALSE(moved.intact());
}

TEST(MappedWindow, OutlivesItsFile) {
  const TempFile temp(".f", Numbered(kPage));
  auto file = InputFile::Open(temp.path());
  ASSERT_TRUE(file);
  const auto window = MappedWindow::Map(*file, 0, kPage);
  ASSERT_TRUE(window);
  { const InputFile closed = *std::move(file); }
  EXPECT_EQ(CountZeros(*window, kPage), 0u);
  EXPECT_TRUE(window->intact());
}

TEST(MappedWindow, SlotsAreGivenBack) {
  const TempFile temp(".f", Numbered(kPage));
  const auto file = InputFile::Open(temp.path());
  ASSERT_TRUE(file);
  for (int i = 0; i < 3000; ++i) {
    const auto window = MappedWindow::Map(*file, 0, kPage);
    ASSERT_TRUE(window);
    ASSERT_TRUE(window->intact());
  }
}

}  // namespace
}  // namespace assay
