// Signals that the program survives become a byte in a pipe. All other signals that would terminate it first restore
// the terminal and then still terminate it, so that the exit status names the signal.
//
// Swift's own backtracer is not called, because on a terminal it waits for a key and prints registers, which may
// contain secrets.
#include "CNcurses.h"
#include "modes.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#ifndef NSIG
#define NSIG 65
#endif

static const int lived_through[] = {SIGWINCH, SIGTSTP, SIGCONT};
#define COUNT(array) (sizeof(array) / sizeof *(array))

static int pipe_ends[2] = {-1, -1};
static char stack[65536];  // for a handler that runs because the stack has overflowed
static volatile sig_atomic_t stopping, continued;
// The functions that release the terminal, and that take it over again after a stop.
static void (*volatile give_back)(void), (*volatile take_again)(void);
// Whether the program wants to do something before it terminates, and the signal that asked it to terminate.
static volatile sig_atomic_t delays_end, asked;

static bool is_crash(int number) {
  switch (number) {
    case SIGILL: case SIGTRAP: case SIGABRT: case SIGSEGV: case SIGBUS: case SIGFPE: case SIGSYS: return true;
    default: return false;
  }
}

// Whether this signal terminates a process that does not handle it, and can be handled.
static bool ends_a_process(int number) {
  switch (number) {
    case SIGKILL: case SIGSTOP: case SIGTSTP: case SIGTTIN: case SIGTTOU: case SIGCONT: case SIGCHLD: case SIGURG:
    case SIGWINCH:
#ifdef SIGINFO
    case SIGINFO:
#endif
      return false;
    default: return true;
  }
}

bool signals_end_a_process(int number) {
  return ends_a_process(number) && !is_crash(number) && number != SIGPIPE;
}

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
  if (delays_end && !asked && !is_crash(number)) {
    asked = number;
    note(number);
    alarm(5);  // in case the program does not respond in time
    return;
  }
  if (give_back) give_back();
  if (asked && !is_crash(number)) number = asked;
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

// Returns the terminal to the shell in its original state, and continues here when the job is continued.
static void stop(int number) {
  int before = errno;
  give_back();
  handle(number, SIG_DFL, 0);
  raise(number);
  handle(number, stop, SA_NODEFER | SA_RESTART);
  take_again();
  errno = before;
}

static struct sigaction found[NSIG];

// `nohup` ignores SIGHUP deliberately, and a server handles SIGTERM itself.
static void handle_ends(void (*restore)(void)) {
  give_back = restore;
  for (int number = 1; number < NSIG; number++) {
    if (!ends_a_process(number) || sigaction(number, NULL, &found[number]) != 0) continue;
    if (found[number].sa_handler == SIG_DFL || is_crash(number)) handle(number, end, SA_ONSTACK | SA_NODEFER);
  }
}

void signals_guard(void (*restore)(void), void (*again)(void)) {
  take_again = again;
  handle_ends(restore);
  sigaction(SIGTSTP, NULL, &found[SIGTSTP]);
  if (found[SIGTSTP].sa_handler == SIG_DFL) handle(SIGTSTP, stop, SA_NODEFER | SA_RESTART);
}

void signals_unguard(void) {
  for (int number = 1; number < NSIG; number++)
    if (ends_a_process(number) || number == SIGTSTP) sigaction(number, &found[number], NULL);
  give_back = take_again = NULL;
}

// Prevents core files and other processes of the same user from exposing the secrets in memory.
void cn_forbid_core_dumps(void) {
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
#ifdef __linux__
  prctl(PR_SET_DUMPABLE, 0);
#endif
}

void cn_delay_end(bool on) { delays_end = on; }

int32_t cn_asked_to_end(void) { return asked; }

void cn_end_as_asked(void) {
  if (!asked) return;
  signal(asked, SIG_DFL);
  raise(asked);
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
    for (size_t i = 0; i < COUNT(lived_through); i++) handle(lived_through[i], note, SA_RESTART);
    handle_ends(modes_reset_after_crash);
    signal(SIGPIPE, SIG_IGN);
  }
  *read_end = pipe_ends[0];
  *write_end = pipe_ends[1];
  return true;
}

// Stops the whole process group, so that `ssoterm pick | consumer` stops as one job. Another thread may receive the
// signal, and an orphaned group is not stopped at all, so the wait is short and bounded.
void signals_stop_job(void) {
  continued = 0;
  stopping = 1;
  handle(SIGTSTP, SIG_DFL, 0);
  kill(0, SIGTSTP);
  for (int i = 0; i < 40 && !continued; i++) poll(NULL, 0, 5);
  handle(SIGTSTP, note, SA_RESTART);
  stopping = 0;
}
