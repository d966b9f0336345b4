// Python pickle, protocols 2 to 5: the opcodes, and the reader.
#include "codecs/pickle.h"

#include <array>
#include <limits>

#include "codecs/pickle_machine.h"

namespace assay {
namespace {

using Kind = PickleValue::Kind;

constexpr int K(Kind kind) { return static_cast<int>(kind); }

}  // namespace

using M = PickleMachine;

const M::Opcode M::kOpcodes[] = {
    {'\x80', "PROTO", &M::Version},
    {'\x95', "FRAME", &M::Frame},
    {'(', "MARK", &M::Mark},
    {'0', "POP", &M::Drop},
    {'1', "POP_MARK", &M::DropMarked},
    {'2', "DUP", &M::Duplicate},
    {'N', "NONE", &M::None},
    {'\x88', "NEWTRUE", &M::Truth, 1},
    {'\x89', "NEWFALSE", &M::Truth, 0},
    {'K', "BININT1", &M::Integer, 1},
    {'M', "BININT2", &M::Integer, 2},
    {'J', "BININT", &M::Integer, 4},
    {'\x8a', "LONG1", &M::Long, 1},
    {'\x8b', "LONG4", &M::Long, 4},
    {'G', "BINFLOAT", &M::Float},
    {'\x8c', "SHORT_BINUNICODE", &M::Text, 1},
    {'X', "BINUNICODE", &M::Text, 4},
    {'\x8d', "BINUNICODE8", &M::Text, 8},
    {'U', "SHORT_BINSTRING", &M::Text, 1},
    {'T', "BINSTRING", &M::Text, 4},
    {'C', "SHORT_BINBYTES", &M::Bytes, 1},
    {'B', "BINBYTES", &M::Bytes, 4},
    {'\x8e', "BINBYTES8", &M::Bytes, 8},
    {'\x96', "BYTEARRAY8", &M::Bytes, 8},
    {')', "EMPTY_TUPLE", &M::Tuple, 0},
    {'\x85', "TUPLE1", &M::Tuple, 1},
    {'\x86', "TUPLE2", &M::Tuple, 2},
    {'\x87', "TUPLE3", &M::Tuple, 3},
    {'t', "TUPLE", &M::Gather, K(Kind::kTuple)},
    {']', "EMPTY_LIST", &M::Empty, K(Kind::kList)},
    {'l', "LIST", &M::Gather, K(Kind::kList)},
    {'a', "APPEND", &M::Append},
    {'e', "APPENDS", &M::AppendMarked, K(Kind::kList)},
    {'}', "EMPTY_DICT", &M::Empty, K(Kind::kDict)},
    {'d', "DICT", &M::Gather, K(Kind::kDict)},
    {'s', "SETITEM", &M::SetItem},
    {'u', "SETITEMS", &M::SetMarked},
    {'\x8f', "EMPTY_SET", &M::Empty, K(Kind::kSet)},
    {'\x90', "ADDITEMS", &M::AppendMarked, K(Kind::kSet)},
    {'\x91', "FROZENSET", &M::Gather, K(Kind::kSet)},
    {'q', "BINPUT", &M::Put, 1},
    {'r', "LONG_BINPUT", &M::Put, 4},
    {'\x94', "MEMOIZE", &M::Put, 0},
    {'h', "BINGET", &M::Get, 1},
    {'j', "LONG_BINGET", &M::Get, 4},
    {'c', "GLOBAL", &M::Global},
    {'\x93', "STACK_GLOBAL", &M::StackGlobal},
    {'R', "REDUCE", &M::Reduce},
    {'b', "BUILD", &M::Build},
    {'Q', "BINPERSID", &M::Foreign},
    {'i', "INST", &M::Instance},
    {'o', "OBJ", &M::Object, 0},
    {'\x81', "NEWOBJ", &M::Object, 2},
    {'\x92', "NEWOBJ_EX", &M::Object, 3},
    {'\x82', "EXT1", &M::Refused},
    {'\x83', "EXT2", &M::Refused},
    {'\x84', "EXT4", &M::Refused},
    {'\x97', "NEXT_BUFFER", &M::Refused},
    {'\x98', "READONLY_BUFFER", &M::Refused},
};

const M::Opcode* M::Find(uint8_t code) {
  static const auto kByCode = [] {
    std::array<const Opcode*, 256> table{};
    for (const Opcode& opcode : kOpcodes) {
      table[static_cast<uint8_t>(opcode.code)] = &opcode;
    }
    return table;
  }();
  return kByCode[code];
}

Result<PickleValue> PickleMachine::Run() {
  static constexpr Opcode kStop = {'.', "STOP", nullptr};
  while (in_.left() > 0) {
    at_ = in_.offset();
    const uint8_t code = in_.U8("opcode");
    now_ = code == '.' ? &kStop : Find(code);
    if (now_ == &kStop) return Pop();
    if (!now_) {
      return Corrupt("0x{:02x} is no opcode of protocols 2 to 5", code)
          .At({}, at_)
          .Hint("the pickle is damaged, or older than they are");
    }
    const Status status = (this->*now_->run)(now_->argument);
    if (!in_.ok()) return in_.error();
    if (!status) return status.error();
  }
  return Corrupt("the pickle ends without STOP")
      .At({}, in_.offset())
      .Hint("the file looks truncated; was the dump interrupted?");
}

Result<Pickle> Pickle::Read(std::string_view bytes,
                            std::span<const PickleGlobal> allowed,
                            const PickleLimits& limits) {
  if (!bytes.starts_with('\x80')) {
    return Unsupported("no pickle of protocols 2 to 5 begins here").At({}, 0);
  }
  if (bytes.size() > std::numeric_limits<uint32_t>::max()) {
    return TooLarge("the pickle has {} bytes", bytes.size()).At({}, 0);
  }
  Pickle pickle;
  pickle.bytes_ = bytes;
  PickleMachine machine(bytes, allowed, limits);
  ASSIGN_OR_RETURN(pickle.root_, machine.Run());
  pickle.nodes_ = machine.TakeNodes();
  return pickle;
}

std::string_view Pickle::Text(const PickleValue& value) const {
  if (value.kind != Kind::kText && value.kind != Kind::kBytes) return {};
  return bytes_.substr(static_cast<size_t>(value.number), value.length);
}

std::span<const PickleValue> Pickle::Items(const PickleValue& value) const {
  if (!value.is_node()) return {};
  return nodes_[static_cast<size_t>(value.number)].items;
}

int64_t Pickle::GlobalOf(const PickleValue& value) const {
  if (value.kind == Kind::kGlobal) return value.number;
  if (value.kind != Kind::kCall) return -1;
  return nodes_[static_cast<size_t>(value.number)].global;
}

}  // namespace assay
