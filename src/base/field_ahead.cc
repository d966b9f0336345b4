#include <array>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "base/field_reader.h"

namespace assay {
namespace {

constexpr size_t kBatch = 512;  // fields, about 36 KiB
constexpr size_t kBatches = 8;

bool IsLast(const Field& field) {
  return field.kind == FieldKind::kDone || field.kind == FieldKind::kError;
}

// A ring of batches between two threads.
class FieldsAhead final : public FieldReader {
 public:
  explicit FieldsAhead(std::unique_ptr<FieldReader> in)
      : in_(std::move(in)), ring_(kBatches), thread_([this] { Work(); }) {}
  ~FieldsAhead() override {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    changed_.notify_all();
  }

  Field Next() override;
  Error error() const override { return in_->error(); }

 private:
  struct Batch {
    std::array<Field, kBatch> fields;
    size_t count = 0;
  };

  Error Place(Error error, uint64_t at) const override {
    return in_->Wrong({.kind = FieldKind::kNull, .at = at}, error.what);
  }
  void Work();
  void Fill(Batch& batch);

  const std::unique_ptr<FieldReader> in_;
  std::vector<Batch> ring_;
  std::mutex mutex_;
  std::condition_variable changed_;
  size_t filled_ = 0, used_ = 0;  // batches since the start
  bool stopped_ = false;
  size_t at_ = 0;  // in the batch that is being used
  const Batch* batch_ = nullptr;
  std::jthread thread_;  // ends before the rest goes
};

void FieldsAhead::Fill(Batch& batch) {
  batch.count = 0;
  do {
    batch.fields[batch.count] = in_->Next();
  } while (!IsLast(batch.fields[batch.count++]) && batch.count < kBatch);
}

void FieldsAhead::Work() {
  for (size_t number = 0;; ++number) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock,
                    [&] { return stopped_ || number - used_ < kBatches; });
      if (stopped_) return;
    }
    Batch& batch = ring_[number % kBatches];
    Fill(batch);
    const bool last = IsLast(batch.fields[batch.count - 1]);
    const std::lock_guard lock(mutex_);
    ++filled_;
    changed_.notify_all();
    if (last) return;
  }
}

Field FieldsAhead::Next() {
  if (batch_ != nullptr && at_ < batch_->count) return batch_->fields[at_++];
  if (batch_ != nullptr && IsLast(batch_->fields[at_ - 1])) {
    return batch_->fields[at_ - 1];
  }
  std::unique_lock lock(mutex_);
  if (batch_ != nullptr) {
    ++used_;
    changed_.notify_all();
  }
  changed_.wait(lock, [&] { return filled_ > used_; });
  batch_ = &ring_[used_ % kBatches];
  at_ = 1;
  return batch_->fields[0];
}

}  // namespace

std::unique_ptr<FieldReader> ReadFieldsAhead(std::unique_ptr<FieldReader> in) {
  return std::make_unique<FieldsAhead>(std::move(in));
}

}  // namespace assay
