// Input without echo: passwords at a question in lines, and keys of a command without screens.
#include "CNcurses.h"
#include "modes.h"
#include <signal.h>
#include <termios.h>

static int terminal = -1;
static struct termios shown, hidden;

static void show(void) {
  signal(SIGTTOU, SIG_IGN);  // otherwise a background program would stop here instead of terminating
  tcsetattr(terminal, TCSANOW, &shown);
}

static void hide(void) { tcsetattr(terminal, TCSANOW, &hidden); }

bool cn_hide_typing(int32_t tty, bool key_by_key) {
  if (tcgetattr(tty, &shown) != 0) return false;
  terminal = tty;
  hidden = shown;
  hidden.c_lflag &= ~(tcflag_t)(ECHO | (key_by_key ? ICANON | ISIG : 0));
  signals_guard(show, hide);
  return tcsetattr(tty, TCSAFLUSH, &hidden) == 0;
}

void cn_show_typing(void) {
  if (terminal < 0) return;
  tcsetattr(terminal, TCSAFLUSH, &shown);
  signals_unguard();
  terminal = -1;
}
