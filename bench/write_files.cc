// The plain writing rate: the bytes of given files, already in memory, go into
// new files.
//
//   usage: write_files THREADS LIST DIR
//
// LIST names one file per line. Prints the seconds of the writing.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr size_t kPiece = size_t{256} << 10;  // the fastest of several

[[noreturn]] void Die(const std::string& what) {
  std::perror(what.c_str());
  std::exit(2);
}

void WriteFile(const std::string& path, const std::string& bytes) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0644);
  if (fd < 0) Die(path);
  for (size_t at = 0; at < bytes.size();) {
    const size_t most = std::min(bytes.size() - at, kPiece);
    const ssize_t n = write(fd, bytes.data() + at, most);
    if (n <= 0) Die(path);
    at += static_cast<size_t>(n);
  }
  close(fd);
}

std::string Content(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) Die(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  std::vector<std::string> files;
  std::ifstream list(argv[2]);
  for (std::string path; std::getline(list, path);) {
    files.push_back(Content(path));
  }
  const std::string folder = argv[3];
  const auto start = std::chrono::steady_clock::now();
  std::atomic<size_t> next = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < std::atoi(argv[1]); ++t) {
    threads.emplace_back([&] {
      for (size_t i; (i = next++) < files.size();) {
        WriteFile(folder + "/" + std::to_string(i), files[i]);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const std::chrono::duration<double> time =
      std::chrono::steady_clock::now() - start;
  std::printf("%.6f\n", time.count());
}
