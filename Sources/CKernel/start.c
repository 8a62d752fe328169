#include "CKernel.h"
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <unistd.h>

static int32_t argument_count;
static char **arguments;

// Occupies the closed standard streams. Otherwise a file that is opened later would get the number of a standard
// stream, and a message would be written into the store. Each stream is opened in the opposite direction, so that
// reading and writing still fail with EBADF. Programs that are started later find the stream closed, as this program
// did.
static void occupy_closed_streams(void) {
  for (int stream = 0; stream < 3; stream++) {
    if (fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
    int direction = stream == 0 ? O_WRONLY : O_RDONLY;
    if (open("/dev/null", direction | O_CLOEXEC) < 0) (void)open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  }
}

#ifdef __GLIBC__
// Only glibc passes the arguments to constructors.
__attribute__((constructor)) static void start(int count, char **words) {
  argument_count = (int32_t)count;
  arguments = words;
  occupy_closed_streams();
  ck_note_given_descriptors();
}
#else
__attribute__((constructor)) static void start(void) {
  occupy_closed_streams();
  ck_note_given_descriptors();
}
#endif

int32_t ck_argument_count(void) { return argument_count; }

const char *ck_argument(int32_t index) { return index < argument_count ? arguments[index] : NULL; }
