#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_reader.h"
#include "base/result.h"
#include "codecs/pickle.h"

namespace assay {

// The machine that a pickle is a program for, with a stack and a memo. Opcodes
// push values, gather what lies above a mark into containers, name functions
// and call them. Here calls are only written down.
class PickleMachine {
 public:
  PickleMachine(std::string_view bytes, std::span<const PickleGlobal> allowed,
                const PickleLimits& limits)
      : bytes_(bytes), allowed_(allowed), limits_(limits), in_(bytes, {}) {}

  Result<PickleValue> Run();
  std::vector<Pickle::Node> TakeNodes() { return std::move(nodes_); }

 private:
  using Kind = PickleValue::Kind;
  using Use = PickleGlobal::Use;

  struct Opcode {
    char code;
    std::string_view name;
    Status (PickleMachine::*run)(int);
    int argument = 0;
  };
  static const Opcode kOpcodes[];
  static const Opcode* Find(uint8_t code);

  // The opcodes. A width is the number of bytes of a length or an index.
  Status Version(int);
  Status Frame(int);
  Status Mark(int);
  Status Drop(int);
  Status DropMarked(int);
  Status Duplicate(int);
  Status None(int);
  Status Truth(int value);
  Status Integer(int width);
  Status Long(int width);
  Status Float(int);
  Status Text(int width) { return String(Kind::kText, width); }
  Status Bytes(int width) { return String(Kind::kBytes, width); }
  Status Empty(int kind);
  Status Gather(int kind);
  Status Tuple(int size);
  Status Append(int);
  Status AppendMarked(int kind);
  Status SetItem(int);
  Status SetMarked(int);
  Status Put(int width);  // 0: the next entry
  Status Get(int width);
  Status Global(int);
  Status StackGlobal(int);
  Status Reduce(int);
  Status Build(int);
  Status Foreign(int);
  Status Instance(int);
  Status Object(int depth);  // of its class; 0: the first above the mark
  Status Refused(int);

  Status String(Kind kind, int width);
  Status Mention(std::string_view module, std::string_view name);
  Status Push(PickleValue value);
  Status PushNode(Kind kind, std::vector<PickleValue> items,
                  int64_t global = -1);
  Status Extend(Kind kind, std::span<const PickleValue> items);
  Status Assign(std::span<const PickleValue> items);

  uint64_t Number(int width);
  Result<std::string_view> Line();
  Result<PickleValue> Top() const;
  Result<PickleValue> Pop();
  Result<PickleValue> PopKind(Kind kind);
  Result<std::vector<PickleValue>> PopMarked();
  std::string_view TextOf(const PickleValue& value) const;
  bool IsFilled(const PickleValue& value) const;
  std::string NameOf(const PickleValue& value) const;
  size_t Floor() const { return marks_.empty() ? 0 : marks_.back(); }

  Error Damaged(std::string_view why) const;
  Error Refusal(std::string_view why) const;

  std::string_view bytes_;
  std::span<const PickleGlobal> allowed_;
  PickleLimits limits_;
  ByteReader in_;
  uint64_t at_ = 0;              // of the opcode
  const Opcode* now_ = nullptr;  // which one it is
  uint64_t values_ = 0;          // pushed so far
  std::vector<PickleValue> stack_, memo_;
  std::vector<size_t> marks_;
  std::vector<Pickle::Node> nodes_;
};

}  // namespace assay
