#include "report/page/compressed.h"

#include <zlib.h>

#include "base/error.h"

namespace cutaway::report {

std::string compressed(std::string_view text) {
  constexpr int kGzip = 15 + 16;  // zlib's window, with a gzip header
  z_stream stream{};
  CUTAWAY_CHECK(deflateInit2(&stream, 6, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY) == Z_OK, "zlib");
  std::string out(deflateBound(&stream, text.size()), '\0');
  CUTAWAY_CHECK(out.size() <= ~uInt{0}, "{} bytes", text.size());  // zlib's lengths have 32 bits
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int result = deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  CUTAWAY_CHECK(result == Z_STREAM_END, "zlib says {}", result);
  return out;
}

}  // namespace cutaway::report
