// Signals for a program that runs in the foreground in place of this one.
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "CNcurses.h"
#include "modes.h"

#ifndef NSIG
#define NSIG 65
#endif

// The seconds that a program has to end after a SIGTERM. Docker and GitHub kill this one too after ten.
#define GRACE 8

// The child, or its process group as a negative number, or 0 without a child.
static volatile sig_atomic_t child, early;

// A signal of the terminal, and not of a process, reaches a child in the same process group without this one.
static bool comes_from_terminal(int number, const siginfo_t *information) {
  return information->si_pid == 0 && (number == SIGINT || number == SIGQUIT || number == SIGHUP);
}

static void pass_on(int number, siginfo_t *information, void *context) {
  (void)context;
  int saved = errno;
  // The kernel's own limit for a file concerns only this process, whose call fails.
  if (number == SIGXFSZ && information->si_pid == 0) return;
  if (number == SIGALRM && early == SIGTERM && child != 0) {
    kill((pid_t)child, SIGKILL);
    errno = saved;
    return;
  }
  bool reaches_child = child > 0 && comes_from_terminal(number, information);
  if (!early && (!reaches_child || number == SIGHUP)) early = number;
  if (child != 0 && !reaches_child) kill((pid_t)child, number);
  if (child != 0 && number == SIGTERM) alarm(GRACE);
  errno = saved;
}

// Catches the signals that would end this process. A signal that it ignores remains ignored: a shell that starts a
// program in the background without job control makes it ignore ^C, and nohup a hangup.
static void catch_ends(struct sigaction *found) {
  for (int number = 1; number < NSIG; number++) {
    struct sigaction action, old;
    if (found) found[number].sa_handler = SIG_IGN;
    if (!signals_end_a_process(number) || sigaction(number, NULL, &old) != 0 || old.sa_handler == SIG_IGN) continue;
    if (found) found[number] = old;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    action.sa_sigaction = pass_on;
    sigaction(number, &action, NULL);
  }
}

void cn_catch_ends(void) { catch_ends(NULL); }

int32_t cn_early_end(void) { return (int32_t)early; }

int32_t cn_await_child(int32_t pid, bool leads_group) {
  struct sigaction found[NSIG], stop, default_stop;
  catch_ends(found);
  // ^Z stops both, so that the shell gets the terminal back.
  memset(&default_stop, 0, sizeof default_stop);
  default_stop.sa_handler = SIG_DFL;
  sigaction(SIGTSTP, &default_stop, &stop);
  child = leads_group ? -pid : pid;
  if (early) kill((pid_t)child, early);
  if (early == SIGTERM) alarm(GRACE);
  siginfo_t information;
  // Leave the status uncollected, so that the process ID is not reused while signals may still be sent to it.
  while (waitid(P_PID, (id_t)pid, &information, WEXITED | WNOWAIT) != 0 && errno == EINTR) {}
  // The processes that the program has left behind in its group no longer have a provider.
  if (leads_group) kill(-(pid_t)pid, SIGTERM);
  child = 0;
  alarm(0);
  int status = 0;
  while (waitpid((pid_t)pid, &status, 0) < 0) {
    if (errno != EINTR) break;
  }
  sigaction(SIGTSTP, &stop, NULL);
  for (int number = 1; number < NSIG; number++)
    if (found[number].sa_handler != SIG_IGN) sigaction(number, &found[number], NULL);
  // Without an earlier cn_catch_ends(), the program terminates as the signal asked it to.
  if (early && found[early].sa_handler != SIG_IGN && found[early].sa_sigaction != pass_on) {
    int asked = early;
    early = 0;
    raise(asked);
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
