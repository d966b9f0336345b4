#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace assay {

// Calls body(item, worker) once for each item in [0, n), on up to `threads`
// threads, taking items in order from one cursor; `worker` is below `threads`
// and never used by two threads at once. Once `stop` is set, no further item is
// handed out. The calling thread takes part. Bodies must not throw.
void ParallelFor(size_t n, int threads,
                 const std::function<void(size_t item, size_t worker)>& body,
                 const std::atomic<bool>* stop = nullptr);

// For items of very different sizes, in bytes: large ones come one after the
// other and may use all threads themselves, then the rest as above, from the
// largest to the smallest, with one thread each.
void ParallelBySize(const std::vector<uint64_t>& sizes, int threads,
                    const std::function<void(size_t item, int threads)>& body,
                    const std::atomic<bool>* stop = nullptr);

// What `--threads 0` means: the CPUs this process may use.
int DefaultThreads();

}  // namespace assay
