#include <array>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "base/field_reader.h"

namespace assay {
namespace {

// Large, for waking the other thread takes as long as reading a hundred fields.
constexpr size_t kBatch = 4096;  // fields, 96 KiB
constexpr size_t kBatches = 8;

bool IsLast(FieldKind kind) {
  return kind == FieldKind::kDone || kind == FieldKind::kError;
}

// A field on its way from one core to the other, where every byte counts: less
// than half its size. Where it stands follows from its text.
struct Packed {
  const char *name, *text;
  uint32_t text_size;
  uint16_t name_size;
  FieldKind kind;
  uint8_t form;  // FieldForm, and kQuoted

  static constexpr uint8_t kQuoted = 0x80;  // the field stands a byte before
  static constexpr uint8_t kLoose = 0xff;   // Batch::loose has it
};
static_assert(sizeof(Packed) == 24);

struct Batch {
  std::array<Packed, kBatch> fields;
  std::vector<Field> loose;  // what does not pack: numbers of `text_size`
  size_t count = 0;

  void Add(const Field& field, const char* file);
  Field At(size_t i, const char* file) const;
};

bool Packs(const Field& f, const char* file) {
  const auto at =
      f.text.empty() ? f.at : static_cast<uint64_t>(f.text.data() - file);
  return at - f.at <= 1 && f.bits == 0 && f.text.size() <= UINT32_MAX &&
         f.name.size() <= UINT16_MAX;
}

void Batch::Add(const Field& f, const char* file) {
  Packed& packed = fields[count++];
  packed.kind = f.kind;
  if (!Packs(f, file)) {
    packed.form = Packed::kLoose;
    packed.text_size = static_cast<uint32_t>(loose.size());
    loose.push_back(f);
    return;
  }
  packed.name = f.name.data();
  packed.name_size = static_cast<uint16_t>(f.name.size());
  packed.text = f.text.empty() ? file + f.at : f.text.data();
  packed.text_size = static_cast<uint32_t>(f.text.size());
  packed.form = static_cast<uint8_t>(f.form);
  if (packed.text != file + f.at) packed.form |= Packed::kQuoted;
}

Field Batch::At(size_t i, const char* file) const {
  const Packed& p = fields[i];
  if (p.form == Packed::kLoose) return loose[p.text_size];
  const bool quoted = (p.form & Packed::kQuoted) != 0;
  return {.kind = p.kind,
          .form = static_cast<FieldForm>(p.form & ~Packed::kQuoted),
          .at = static_cast<uint64_t>(p.text - file) - (quoted ? 1 : 0),
          .name = {p.name, p.name_size},
          .text = {p.text, p.text_size}};
}

// A ring of batches between two threads.
class FieldsAhead final : public FieldReader {
 public:
  FieldsAhead(std::unique_ptr<FieldReader> in, const char* file)
      : in_(std::move(in)),
        file_(file),
        ring_(kBatches),
        thread_([this] { Work(); }) {}
  ~FieldsAhead() override {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    changed_.notify_all();
  }

  Field Next() override;
  Error error() const override { return in_->error(); }

 private:
  Error Place(Error error, uint64_t at) const override {
    return in_->Wrong({.kind = FieldKind::kNull, .at = at}, error.what);
  }
  void Work();
  void Fill(Batch& batch);

  const std::unique_ptr<FieldReader> in_;
  const char* const file_;
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
  batch.loose.clear();
  FieldKind kind;
  do {
    const Field field = in_->Next();
    kind = field.kind;
    batch.Add(field, file_);
  } while (!IsLast(kind) && batch.count < kBatch);
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
    const bool last = IsLast(batch.fields[batch.count - 1].kind);
    const std::lock_guard lock(mutex_);
    ++filled_;
    changed_.notify_all();
    if (last) return;
  }
}

Field FieldsAhead::Next() {
  if (batch_ != nullptr) {
    if (at_ < batch_->count) return batch_->At(at_++, file_);
    if (IsLast(batch_->fields[at_ - 1].kind)) return batch_->At(at_ - 1, file_);
  }
  std::unique_lock lock(mutex_);
  if (batch_ != nullptr) {
    ++used_;
    changed_.notify_all();
  }
  changed_.wait(lock, [&] { return filled_ > used_; });
  batch_ = &ring_[used_ % kBatches];
  at_ = 1;
  return batch_->At(0, file_);
}

}  // namespace

std::unique_ptr<FieldReader> ReadFieldsAhead(std::unique_ptr<FieldReader> in,
                                             std::string_view file) {
  return std::make_unique<FieldsAhead>(std::move(in), file.data());
}

}  // namespace assay
