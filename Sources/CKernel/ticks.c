#include "CKernel.h"
#ifdef __linux__
#include <sys/timerfd.h>
#include <unistd.h>

int32_t ck_ticks(int32_t seconds) {
  struct itimerspec period = {.it_interval.tv_sec = seconds, .it_value.tv_sec = seconds};
  int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
  if (timer >= 0 && timerfd_settime(timer, 0, &period, NULL) != 0) {
    close(timer);
    return -1;
  }
  return timer;
}
#else
int32_t ck_ticks(int32_t seconds) { return -1; }
#endif
