// The page-cache read rate of a list of files: the limit of any program that
// looks at every byte of them.
//
//   usage: scan_files THREADS LIST [PASSES]
//
// LIST names one file per line. Prints one line per mode, "MODE GB/s", the
// median of PASSES [3], and then the best. The sum over each word is memory
// bound when compiled with -O3 -march=native; a plain loop is enough.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr size_t kWindow = size_t{8} << 20;  // one task; also one mapping

struct Task {
  const char* path;
  size_t offset;
  size_t length;
};

struct Mode {
  const char* name;
  size_t buffer;  // bytes per pread; 0 = mmap
  int flags;      // of mmap
};

constexpr Mode kModes[] = {
    {"pread-256k", size_t{256} << 10, 0},
    {"pread-1m", size_t{1} << 20, 0},
    {"mmap", 0, MAP_SHARED},
    {"mmap-populate", 0, MAP_SHARED | MAP_POPULATE},
};

[[noreturn]] void Die(const char* what) {
  std::perror(what);
  std::exit(2);
}

uint64_t Sum(const void* data, size_t bytes) {
  const auto* words = static_cast<const uint64_t*>(data);
  uint64_t sum = 0;
  for (size_t i = 0; i < bytes / sizeof(uint64_t); ++i) sum += words[i];
  return sum;
}

uint64_t ScanPread(int fd, const Task& task, size_t step, void* buffer) {
  uint64_t sum = 0;
  for (size_t done = 0; done < task.length;) {
    const size_t want = std::min(step, task.length - done);
    const ssize_t got = pread(fd, buffer, want, task.offset + done);
    if (got <= 0) Die(task.path);
    sum += Sum(buffer, got);
    done += got;
  }
  return sum;
}

uint64_t ScanMmap(int fd, const Task& task, int flags) {
  void* data = mmap(nullptr, task.length, PROT_READ, flags, fd, task.offset);
  if (data == MAP_FAILED) Die(task.path);
  const uint64_t sum = Sum(data, task.length);
  munmap(data, task.length);
  return sum;
}

uint64_t Scan(const Task& task, const Mode& mode, void* buffer) {
  const int fd = open(task.path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) Die(task.path);
  const uint64_t sum = mode.buffer != 0
                           ? ScanPread(fd, task, mode.buffer, buffer)
                           : ScanMmap(fd, task, mode.flags);
  close(fd);
  return sum;
}

// Sizes are asked for here, outside the clock: the limit is to be generous.
std::vector<Task> Split(const std::vector<std::string>& paths) {
  std::vector<Task> tasks;
  for (const std::string& path : paths) {
    struct stat status;
    if (stat(path.c_str(), &status) != 0) Die(path.c_str());
    const size_t size = status.st_size;
    for (size_t at = 0; at < size; at += kWindow) {
      tasks.push_back({path.c_str(), at, std::min(kWindow, size - at)});
    }
  }
  return tasks;
}

// Huge pages, touched before the clock starts: faults are not reading.
void* MakeBuffer() {
  constexpr size_t kSize = size_t{2} << 20;
  void* buffer = std::aligned_alloc(kSize, kSize);
  if (buffer == nullptr) Die("buffer");
  madvise(buffer, kSize, MADV_HUGEPAGE);
  std::fill_n(static_cast<char*>(buffer), kSize, '\1');
  return buffer;
}

double Seconds(const std::vector<Task>& tasks, const Mode& mode,
               const std::vector<void*>& buffers) {
  std::atomic<size_t> next{0};
  std::atomic<uint64_t> total{0};  // used, so that the sums are not dropped
  const auto begin = std::chrono::steady_clock::now();
  {
    std::vector<std::jthread> threads;
    for (void* buffer : buffers) {
      threads.emplace_back([&, buffer] {
        uint64_t sum = 0;
        for (size_t i; (i = next++) < tasks.size();) {
          sum += Scan(tasks[i], mode, buffer);
        }
        total += sum;
      });
    }
  }
  const auto end = std::chrono::steady_clock::now();
  return std::chrono::duration<double>(end - begin).count();
}

double MedianRate(const std::vector<Task>& tasks, const Mode& mode,
                  const std::vector<void*>& buffers, int passes) {
  double bytes = 0;
  for (const Task& task : tasks) bytes += static_cast<double>(task.length);
  std::vector<double> rates;
  for (int i = 0; i < passes; ++i) {
    rates.push_back(bytes / Seconds(tasks, mode, buffers) / 1e9);
  }
  std::sort(rates.begin(), rates.end());
  return rates[rates.size() / 2];
}

std::vector<std::string> ReadLines(const char* path) {
  std::ifstream in(path);
  if (!in) Die(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: scan_files THREADS LIST [PASSES]\n");
    return 2;
  }
  std::vector<void*> buffers;
  for (int i = 0; i < std::atoi(argv[1]); ++i) buffers.push_back(MakeBuffer());
  const std::vector<std::string> paths = ReadLines(argv[2]);
  const std::vector<Task> tasks = Split(paths);
  const int passes = argc > 3 ? std::max(1, std::atoi(argv[3])) : 3;

  double best = 0;
  for (const Mode& mode : kModes) {
    const double rate = MedianRate(tasks, mode, buffers, passes);
    std::printf("%s %.4f\n", mode.name, rate);
    best = std::max(best, rate);
  }
  std::printf("best %.4f\n", best);
  return 0;
}
