// Signals for a program that runs in the foreground in place of this one.
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>

#include "CNcurses.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const int passed[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
static volatile sig_atomic_t child, early;

static void pass_on(int number, siginfo_t *information, void *context) {
  (void)context;
  int saved = errno;
  if (child == 0) {
    early = number;
  } else if (information->si_pid != 0) {
    // A signal that the terminal sends (and not a process) reaches the child anyway, because it is in the same process
    // group.
    kill((pid_t)child, number);
  }
  errno = saved;
}

void cn_catch_ends(void) {
  for (size_t i = 0; i < COUNT(passed); i++) {
    struct sigaction action, old;
    // A shell that starts a program in the background without job control makes it ignore ^C.
    if (sigaction(passed[i], NULL, &old) != 0 || old.sa_handler == SIG_IGN) continue;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    action.sa_sigaction = pass_on;
    sigaction(passed[i], &action, NULL);
  }
}

int32_t cn_early_end(void) { return (int32_t)early; }

int32_t cn_await_child(int32_t pid) {
  child = pid;
  if (early) kill((pid_t)pid, early);
  siginfo_t information;
  // Leave the status uncollected, so that the process ID is not reused while signals may still be sent to it.
  while (waitid(P_PID, (id_t)pid, &information, WEXITED | WNOWAIT) != 0 && errno == EINTR) {}
  child = 0;
  int status = 0;
  while (waitpid((pid_t)pid, &status, 0) < 0) {
    if (errno != EINTR) return 0;
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
