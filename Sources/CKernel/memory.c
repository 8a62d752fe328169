#include "CKernel.h"
#ifdef __GLIBC__
#include <malloc.h>

uint32_t ck_mapped_bytes(void) {
  // mallinfo2 is newer than the oldest glibc that the program supports, and the difference of two sizes needs no more.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
  return (uint32_t)mallinfo().hblkhd;
#pragma clang diagnostic pop
}
#else
uint32_t ck_mapped_bytes(void) { return 0; }
#endif
