#include <zlib.h>

#include <algorithm>

#include "base/zip.h"

namespace assay {
namespace {

constexpr uint64_t kPiece = 4096;

struct Inflater {
  z_stream stream{};
  bool ready = inflateInit2(&stream, -MAX_WBITS) == Z_OK;  // no zlib header
  ~Inflater() { inflateEnd(&stream); }
};

Error Damaged(const InputFile& file, const ZipMember& member, uint64_t done,
              std::string_view why) {
  return Corrupt("member '{}' stops after {} of {} bytes: {}", member.name,
                 done, member.size, why)
      .At(file.path(), member.data)
      .Hint("the archive is damaged; copy it again");
}

// Decodes one piece; says why if there can be no more after it.
std::string_view Inflate(z_stream& stream, std::string& input) {
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  const int state = inflate(&stream, Z_SYNC_FLUSH);
  if (state == Z_OK || state == Z_BUF_ERROR) return {};
  if (state == Z_STREAM_END) return "the stream ends";
  return stream.msg ? stream.msg : "zlib refuses it";
}

Result<std::string> InflateHead(const InputFile& file, const ZipMember& member,
                                uint64_t limit) {
  Inflater inflater;
  z_stream& stream = inflater.stream;
  if (!inflater.ready) return Internal("zlib does not start").At(file.path());
  std::string out(limit, '\0');
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  std::string_view why;
  uint64_t at = 0;
  while (stream.avail_out > 0 && at < member.compressed && why.empty()) {
    const uint64_t length = std::min(kPiece, member.compressed - at);
    ASSIGN_OR_RETURN(std::string input, file.Text(member.data + at, length));
    why = Inflate(stream, input);
    at += length;
  }
  if (stream.avail_out == 0) return out;
  return Damaged(file, member, limit - stream.avail_out,
                 why.empty() ? "there are no more" : why);
}

}  // namespace

Result<std::string> ReadZipHead(const InputFile& file, const ZipMember& member,
                                uint64_t limit) {
  limit = std::min({limit, member.size, uint64_t{1} << 30});
  if (member.method == ZipMethod::kStored) return file.Text(member.data, limit);
  return InflateHead(file, member, limit);
}

}  // namespace assay
