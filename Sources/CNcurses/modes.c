// All modes that the program switches on, in one list. Exit, suspension, running a child, and a crash all use the same
// list, because a mode that is forgotten on one path is the usual cause of a broken shell.
#include "CNcurses.h"
#include "modes.h"
#include <curses.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

struct mode {
  const char *on;          // NULL: ncurses switches the mode on and, in endwin(), off
  const char *off;         // the sequence that undoes the mode
  const char *capability;  // or the terminfo name of that sequence
  bool wanted;
};

enum { MOUSE = 5 };

static struct mode list[] = {
    {NULL, NULL, "rmcup", true},                              // alternate screen
    {NULL, NULL, "cnorm", true},                              // hidden cursor
    {NULL, NULL, "sgr0", true},                               // attributes and colours
    {"\033[?2004h", "\033[?2004l", NULL, true},               // bracketed paste
    {"\033[?1004h", "\033[?1004l", NULL, true},               // focus reports
    {"\033[?1000h\033[?1002h\033[?1006h", "\033[?1006l\033[?1002l\033[?1000l", NULL, false},
};
enum { COUNT = sizeof list / sizeof *list };

static int terminal = -1;
static struct termios saved;
static char reset[256];
static size_t reset_length;
static volatile sig_atomic_t active;
static char last_words[256];
static volatile sig_atomic_t last_words_length;

void tty_write(int tty, const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = write(tty, bytes, count);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    bytes += written;
    count -= (size_t)written;
  }
}

static void send(const char *text) {
  if (text) tty_write(terminal, text, strlen(text));
}

bool modes_save(int tty) {
  terminal = tty;
  return tcgetattr(tty, &saved) == 0;
}

// Appends to the reset string, without the padding (`$<2>`) that only curses understands.
static void append_to_reset(const char *text) {
  while (*text && reset_length < sizeof reset) {
    const char *end = text[0] == '$' && text[1] == '<' ? strchr(text, '>') : NULL;
    if (end) text = end + 1;
    else reset[reset_length++] = *text++;
  }
}

void modes_prepare(void) {
  reset_length = 0;
  for (int i = COUNT - 1; i >= 0; i--) {
    const char *off = list[i].capability ? tigetstr(list[i].capability) : list[i].off;
    if (off && off != (char *)-1) append_to_reset(off);
  }
}

void modes_enter(void) {
  active = 1;
  for (int i = 0; i < COUNT; i++)
    if (list[i].wanted) send(list[i].on);
}

void modes_leave(void) {
  for (int i = COUNT - 1; i >= 0; i--)
    if (list[i].wanted && list[i].on) send(list[i].off);
}

void modes_restore_line(void) {
  tcsetattr(terminal, TCSADRAIN, &saved);
  active = 0;
}

void modes_reset_after_crash(void) {
  if (!active) return;
  active = 0;
  signal(SIGTTOU, SIG_IGN);  // otherwise a background program would stop here instead of terminating
  tty_write(terminal, last_words, (size_t)last_words_length);
  tty_write(terminal, reset, reset_length);
  tcsetattr(terminal, TCSANOW, &saved);
}

void cn_last_words(const char *bytes) {
  last_words_length = 0;
  size_t length = bytes ? strlen(bytes) : 0;
  if (length >= sizeof last_words) return;
  memcpy(last_words, bytes ? bytes : "", length);
  last_words_length = (sig_atomic_t)length;
}

void modes_mouse(bool on) {
  if (list[MOUSE].wanted == on) return;
  list[MOUSE].wanted = on;
  if (active) send(on ? list[MOUSE].on : list[MOUSE].off);
}
