// The plain writing rate: new files of given sizes, from memory that is warm.
//
//   usage: write_files THREADS LIST DIR
//
// LIST holds one size in bytes per line. Prints the seconds.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr size_t kPiece = size_t{1} << 20;

[[noreturn]] void Die(const std::string& what) {
  std::perror(what.c_str());
  std::exit(2);
}

void WriteFile(const std::string& path, size_t size, const char* bytes) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0644);
  if (fd < 0) Die(path);
  while (size > 0) {
    const ssize_t n = write(fd, bytes, std::min(size, kPiece));
    if (n <= 0) Die(path);
    size -= static_cast<size_t>(n);
  }
  close(fd);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  std::vector<size_t> sizes;
  std::ifstream list(argv[2]);
  for (size_t size; list >> size;) sizes.push_back(size);
  const std::string folder = argv[3];
  const auto start = std::chrono::steady_clock::now();
  std::atomic<size_t> next = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < std::atoi(argv[1]); ++t) {
    threads.emplace_back([&] {
      const std::vector<char> bytes(kPiece, 'x');
      for (size_t i; (i = next++) < sizes.size();) {
        WriteFile(folder + "/" + std::to_string(i), sizes[i], bytes.data());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const std::chrono::duration<double> time =
      std::chrono::steady_clock::now() - start;
  std::printf("%.6f\n", time.count());
}
