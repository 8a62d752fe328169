#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

// Raw deflate (RFC 1951), as zip archives have it: how many bytes came out, or -1 if it is damaged or does not fit.
// zlib's own way in is a macro, which Swift does not see.
static inline long ssoterm_inflate(const uint8_t *input, size_t count, uint8_t *output, size_t capacity) {
  z_stream stream = {0};
  if (count > UINT32_MAX || capacity > UINT32_MAX || inflateInit2(&stream, -MAX_WBITS) != Z_OK) return -1;
  stream.next_in = (uint8_t *)input;
  stream.avail_in = (uInt)count;
  stream.next_out = output;
  stream.avail_out = (uInt)capacity;
  int status = inflate(&stream, Z_FINISH);
  long written = (long)stream.total_out;
  inflateEnd(&stream);
  return status == Z_STREAM_END ? written : -1;
}
