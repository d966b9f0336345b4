// The child's side of the executors that are part of this program.
#include <unistd.h>

#include <cerrno>

#include "executors/executor.h"
#include "executors/protocol.h"

namespace assay {
namespace {

Result<std::string> ReadAll(int fd) {
  std::string text;
  char piece[64 << 10];
  for (;;) {
    const ssize_t got = read(fd, piece, sizeof(piece));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return IoError("cannot read the request");
    if (got == 0) return text;
    text.append(piece, static_cast<size_t>(got));
  }
}

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

Result<Texts> Serve(std::string_view name, RunRequest& request, int in,
                    Lines& lines) {
  ASSIGN_OR_RETURN(const std::string text, ReadAll(in));
  ASSIGN_OR_RETURN(request, ParseRequest(text));
  const Executor* executor = FindBuiltIn(name);
  if (executor == nullptr) return NotFound("no executor '{}' inside", name);
  return executor->run(request, lines);
}

}  // namespace

int ServeExecutor(std::string_view name, int in, int out) {
  RunRequest request;
  Lines lines(out, request);
  Result<Texts> facts = Serve(name, request, in, lines);
  if (facts) {
    lines.Say({.kind = Answer::Kind::kDone, .facts = *std::move(facts)});
    return 0;
  }
  // What an operator does wrong while it runs may leave other taps to be had.
  const bool final = facts.error().code != ErrorCode::kUnsupported;
  lines.Say({.kind = Answer::Kind::kError,
             .text = facts.error().what,
             .final = final});
  return 1;
}

}  // namespace assay
