// Signals that the program lives through become a byte in a pipe. Those that end it restore the
// terminal first and then end it all the same, so that the exit status names the signal.
//
// Swift's own backtracer is not called: on a terminal it waits for a key, and prints registers,
// which may hold secrets.
#include "modes.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

static const int lived_through[] = {SIGWINCH, SIGTSTP, SIGCONT};
static const int from_outside[] = {SIGTERM, SIGHUP, SIGQUIT, SIGINT};
static const int crashes[] = {SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGSYS};
#define COUNT(array) (sizeof(array) / sizeof *(array))

static int pipe_ends[2] = {-1, -1};
static char stack[65536];  // for a handler that runs because the stack has overflowed
static volatile sig_atomic_t stopping, continued;

static void note(int number) {
  int before = errno;
  if (number == SIGCONT && stopping) {
    continued = 1;
  } else {
    unsigned char byte = (unsigned char)number;
    ssize_t ignored = write(pipe_ends[1], &byte, 1);
    (void)ignored;
  }
  errno = before;
}

static void end(int number) {
  modes_reset_after_crash();
  signal(number, SIG_DFL);
  raise(number);  // not blocked, see SA_NODEFER
}

static void handle(int number, void (*handler)(int), int flags) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  sigemptyset(&action.sa_mask);
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigaction(number, &action, NULL);
}

static bool is_ignored(int number) {
  struct sigaction action;
  return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

// A core file or another process of the same user could read the secrets in memory.
static void forbid_core_dumps(void) {
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
#ifdef __linux__
  prctl(PR_SET_DUMPABLE, 0);
#endif
}

bool signals_install(int *read_end, int *write_end) {
  if (pipe_ends[0] < 0) {
    if (pipe(pipe_ends) != 0) return false;
    for (int i = 0; i < 2; i++) {
      fcntl(pipe_ends[i], F_SETFD, FD_CLOEXEC);
      fcntl(pipe_ends[i], F_SETFL, O_NONBLOCK);
    }
    stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&alternate, NULL);
    forbid_core_dumps();
    for (size_t i = 0; i < COUNT(lived_through); i++) handle(lived_through[i], note, SA_RESTART);
    // `nohup` ignores SIGHUP and means it.
    for (size_t i = 0; i < COUNT(from_outside); i++)
      if (!is_ignored(from_outside[i])) handle(from_outside[i], end, SA_ONSTACK | SA_NODEFER);
    for (size_t i = 0; i < COUNT(crashes); i++) handle(crashes[i], end, SA_ONSTACK | SA_NODEFER);
    signal(SIGPIPE, SIG_IGN);
  }
  *read_end = pipe_ends[0];
  *write_end = pipe_ends[1];
  return true;
}

// The whole group, so that `ssoterm pick | consumer` stops as one. Another thread may be the one that
// takes the signal, and an orphaned group is not stopped at all: hence the short, bounded wait.
void signals_stop_job(void) {
  continued = 0;
  stopping = 1;
  handle(SIGTSTP, SIG_DFL, 0);
  kill(0, SIGTSTP);
  for (int i = 0; i < 40 && !continued; i++) poll(NULL, 0, 5);
  handle(SIGTSTP, note, SA_RESTART);
  stopping = 0;
}
