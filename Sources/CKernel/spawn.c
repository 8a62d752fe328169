// Starts a program. posix_spawn() cannot close descriptors that another thread opens at the same moment, and closes
// only descriptors that it is given by number.
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "CKernel.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

#ifndef NSIG
#define NSIG 65
#endif

// The descriptors above 2 that this program was started with, which its caller passes on, as with `<(command)` of bash.
enum { KNOWN = 256 };
static int32_t given[KNOWN], given_count;

void ck_note_given_descriptors(void) {
  struct pollfd all[KNOWN];
  for (int i = 0; i < KNOWN; i++) all[i] = (struct pollfd){.fd = i + 3};
  if (poll(all, KNOWN, 0) < 0) return;
  for (int i = 0; i < KNOWN; i++)
    if (!(all[i].revents & POLLNVAL)) given[given_count++] = all[i].fd;
}

// Marks all descriptors above 2 to be closed by exec().
static void close_on_exec(void) {
#ifdef SYS_close_range
  if (syscall(SYS_close_range, 3, UINT_MAX, 4 /* CLOSE_RANGE_CLOEXEC, Linux 5.11 */) == 0) return;
#endif
  struct rlimit limit;
  int last = getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < 1 << 20 ? (int)limit.rlim_cur : 1 << 20;
  for (int descriptor = 3; descriptor < last; descriptor++) {
    int flags = fcntl(descriptor, F_GETFD);
    if (flags >= 0) fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC);
  }
}

// Gives the child the descriptors of `streams` as 0, 1, and 2. A source may be one of these numbers.
static bool set_streams(const int32_t *streams) {
  int32_t sources[3];
  for (int i = 0; i < 3; i++) {
    sources[i] = streams[i] == CK_NULL ? open("/dev/null", i == 0 ? O_RDONLY : O_WRONLY) : streams[i];
    if (sources[i] >= 0 && sources[i] < 3) sources[i] = fcntl(sources[i], F_DUPFD_CLOEXEC, 3);
    if (sources[i] < 0) return false;
  }
  for (int i = 0; i < 3; i++)
    if (dup2(sources[i], i) < 0) return false;
  return true;
}

// A handler must not run in the child before exec(), because the child shares this process's memory. A program that
// this one starts must not ignore what this one ignores for itself.
static void reset_signals(void) {
  static const int own[] = {SIGPIPE, SIGINT, SIGQUIT, SIGTSTP, SIGTTIN, SIGTTOU};
  for (int number = 1; number < NSIG; number++) {
    struct sigaction action;
    if (sigaction(number, NULL, &action) != 0 || action.sa_handler == SIG_DFL) continue;
    bool is_own = false;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) is_own = is_own || own[i] == number;
    if (action.sa_handler == SIG_IGN && !is_own) continue;
    memset(&action, 0, sizeof action);
    action.sa_handler = SIG_DFL;
    sigaction(number, &action, NULL);
  }
}

static void become(char *const *words, char *const *environment, const ck_start *how) {
  reset_signals();
  if (how->leads_group) setpgid(0, 0);
#ifdef __linux__
  if (how->ends_with_us) prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
  if (how->streams && !set_streams(how->streams)) return;
  close_on_exec();
  for (int i = 0; how->keeps_given && i < given_count; i++) fcntl(given[i], F_SETFD, 0);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
#ifdef __linux__
  execvpe(words[0], words, environment);
#else
  extern char **environ;
  environ = (char **)environment;
  execvp(words[0], words);
#endif
}

int32_t ck_spawn(char *const *words, char *const *environment, const ck_start *how, int32_t *pid) {
  int report[2];
  if (pipe(report) != 0) return errno;
  for (int i = 0; i < 2; i++) fcntl(report[i], F_SETFD, FD_CLOEXEC);
  // On Linux the child shares the memory until exec(), so a large process starts a program as fast as a small one.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
#ifdef __linux__
  pid_t child = vfork();
#else
  pid_t child = fork();
#endif
  if (child == 0) {
    become(words, environment, how);
    int code = errno;
    ssize_t ignored = write(report[1], &code, sizeof code);
    (void)ignored;
    _exit(127);
  }
  int code = child < 0 ? errno : 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  close(report[1]);
  // Nothing to read means that exec() has closed the other end.
  if (child > 0) {
    while (read(report[0], &code, sizeof code) < 0 && errno == EINTR) {}
    if (code != 0)
      while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
  }
  close(report[0]);
  *pid = (int32_t)child;
  return code;
}

extern char **environ;

char *const *ck_environment(void) { return environ; }
