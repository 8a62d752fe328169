// `hypotf`, which Swift's Glibc module calls. A program that is linked with glibc 2.35 or later asks for the version
// without errno that is new there (https://sourceware.org/glibc/wiki/Release/2.35).
#include <math.h>

#include "CGlibcFloor.h"

// Computes with doubles, so that neither the squares of two floats nor their sum overflow or underflow.
float gf_hypotf(float x, float y) {
  if (isinf(x) || isinf(y)) return INFINITY;
  return (float)sqrt((double)x * x + (double)y * y);
}

#ifdef __linux__
__attribute__((visibility("hidden"))) float hypotf(float x, float y) { return gf_hypotf(x, y); }
#endif
