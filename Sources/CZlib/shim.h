#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

// Inflates raw deflate data (RFC 1951), as in zip archives. Returns the number of bytes written, or -1 if the data is
// damaged or does not fit. zlib's own function for this is a macro, which Swift cannot import.
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
