// The child's side of the executors that are part of this program.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "executors/executor.h"
#include "executors/protocol.h"

namespace assay {
namespace {

// Requests: the whole of the input, or its lines.
class Requests {
 public:
  Requests(int fd, bool lines) : fd_(fd), lines_(lines) {}

  // The next one; empty: there is none any more.
  Result<std::string> Next() {
    for (;;) {
      const size_t end = lines_ ? text_.find('\n') : std::string::npos;
      if (end != std::string::npos) {
        std::string line = text_.substr(0, end);
        text_.erase(0, end + 1);
        return line;
      }
      ASSIGN_OR_RETURN(const bool more, Fill());
      if (!more) return std::exchange(text_, {});
    }
  }

 private:
  Result<bool> Fill() {
    char piece[64 << 10];
    ssize_t got = -1;
    do {
      got = read(fd_, piece, sizeof(piece));
    } while (got < 0 && errno == EINTR);
    if (got < 0) return IoError("cannot read the request");
    text_.append(piece, static_cast<size_t>(got));
    return got > 0;
  }

  int fd_;
  bool lines_;
  std::string text_;
};

class Lines final : public Answers {
 public:
  Lines(int fd, const RunRequest& request) : fd_(fd), request_(request) {}

  void Send(const RunTensor& tensor) override {
    const auto& list = tensor.output ? request_.outputs : request_.taps;
    Say({.kind = Answer::Kind::kTensor,
         .name = list[tensor.place].name,
         .tensor = tensor});
  }
  void Note(std::string_view text) override {
    Say({.kind = Answer::Kind::kNote, .text = std::string(text)});
  }
  // A parent that went away ends us by SIGPIPE.
  void Say(const Answer& answer) const {
    const std::string line = AnswerJson(answer) + "\n";
    for (size_t at = 0; at < line.size();) {
      const ssize_t wrote = write(fd_, line.data() + at, line.size() - at);
      if (wrote < 0 && errno != EINTR) return;
      if (wrote > 0) at += static_cast<size_t>(wrote);
    }
  }

 private:
  int fd_;
  const RunRequest& request_;
};

const Executor* FindBuiltIn(std::string_view name) {
  for (const Executor* executor : AllExecutors()) {
    if (executor->name == name && executor->run != nullptr) return executor;
  }
  return nullptr;
}

Result<Texts> Serve(std::string_view name, const std::string& text,
                    RunRequest& request, Lines& lines,
                    std::unique_ptr<Kept>& kept) {
  ASSIGN_OR_RETURN(request, ParseRequest(text));
  const Executor* executor = FindBuiltIn(name);
  if (executor == nullptr) return NotFound("no executor '{}' inside", name);
  return executor->run(request, lines, kept);
}

}  // namespace

int ServeExecutor(std::string_view name, bool stay, int in, int out) {
  Requests requests(in, stay);
  RunRequest request;
  Lines lines(out, request);
  std::unique_ptr<Kept> kept;
  Result<Texts> facts = Texts();
  while (facts) {
    const Result<std::string> text = requests.Next();
    if (stay && text && text->empty()) return 0;
    facts = text ? Serve(name, *text, request, lines, kept)
                 : Result<Texts>(text.error());
    if (!facts) break;
    lines.Say({.kind = Answer::Kind::kDone, .facts = *facts});
    if (!stay) return 0;
  }
  const Error& error = facts.error();
  // An answer has no room for the other two parts.
  if (const std::string where = error.Where(); !where.empty()) {
    fmt::print(stderr, "in    {}\n", where);
  }
  if (!error.hint.empty()) fmt::print(stderr, "hint  {}\n", error.hint);
  // What an operator does wrong while it runs may leave other taps to be had.
  const bool final = error.code != ErrorCode::kUnsupported;
  lines.Say({.kind = Answer::Kind::kError, .text = error.what, .final = final});
  return 1;
}

}  // namespace assay
