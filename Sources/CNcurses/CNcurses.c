#include "CNcurses.h"
#include "modes.h"
#include "terminfo.h"
#include <curses.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <unistd.h>
#include <wchar.h>
#undef columns  // macros of term.h
#undef lines

static SCREEN *screen;
static FILE *input, *output;
static int tty = -1;

static bool is_utf8(void) { return strcmp(nl_langinfo(CODESET), "UTF-8") == 0; }

// Sets only the character set. Number formats remain those of the C locale, which Swift's printing relies on.
static bool choose_locale(void) {
  static const char *const fallbacks[] = {"C.UTF-8", "en_US.UTF-8", "UTF-8"};
  if (setlocale(LC_CTYPE, "") && is_utf8()) return true;
  for (size_t i = 0; i < sizeof fallbacks / sizeof *fallbacks; i++)
    if (setlocale(LC_CTYPE, fallbacks[i]) && is_utf8()) return true;
  return false;
}

// newterm() accepts `TERM=dumb` and then draws garbage, so check terminfo first. If `type` is NULL, TERM is used.
static int32_t check_type(const char *type) {
  int known = 0;
  if (setupterm(type, tty, &known) != OK) return CN_UNKNOWN_TYPE;
  const char *motion = tigetstr("cup");
  del_curterm(cur_term);
  return motion && motion != (char *)-1 ? CN_OK : CN_NO_CURSOR_MOTION;
}

static int32_t give_up(int32_t status) {
  if (output) fclose(output);
  if (input) fclose(input);
  else if (tty >= 0) close(tty);
  input = output = NULL;
  tty = -1;
  return status;
}

// Leaves and reenters ncurses with the output discarded. Until it has been left and entered again, ncurses flushes
// after every cursor movement, which takes six writes per frame instead of one, and each write wakes the terminal.
static void enter_again(void) {
  int here = fileno(output), kept = fcntl(here, F_DUPFD_CLOEXEC, 3), nobody = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (kept >= 0 && nobody >= 0 && dup2(nobody, here) >= 0) {
    endwin();
    dup2(kept, here);
    fcntl(here, F_SETFD, FD_CLOEXEC);  // dup2() clears this flag
    doupdate();
  }
  if (kept >= 0) close(kept);
  if (nobody >= 0) close(nobody);
}

static int32_t start(const char *type, cn_terminal *found) {
  static bool registered;
  int read_end, write_end;
  // Do this before newterm(), because ncurses installs its own handlers where there are none.
  if (!signals_install(&read_end, &write_end)) return CN_NO_TERMINAL;
  unsetenv("LINES");  // ncurses would use these instead of the terminal's size
  unsetenv("COLUMNS");
  int copy = fcntl(tty, F_DUPFD_CLOEXEC, 3);
  output = copy < 0 ? NULL : fdopen(copy, "w");
  input = fdopen(tty, "r");
  screen = output && input ? newterm(type, output, input) : NULL;
  if (!screen) return CN_UNKNOWN_TYPE;
  set_term(screen);
  modes_prepare();
  raw();
  noecho();
  nonl();
  typeahead(-1);  // keys are read elsewhere, and must not delay drawing
  leaveok(stdscr, FALSE);
  scrollok(stdscr, FALSE);
  bool colored = has_colors() && start_color() == OK && use_default_colors() == OK;
  enter_again();
  modes_enter();
  curs_set(0);
  found->input = tty;
  found->signals = read_end;
  found->waker = write_end;
  found->colors = colored ? COLORS : 0;
  found->direct = tigetflag("RGB") > 0 || tigetnum("RGB") > 0;
  if (!registered) registered = atexit(cn_close) == 0;
  return CN_OK;
}

int32_t cn_open(cn_terminal *found) {
  if (screen) return CN_ALREADY_OPEN;
  found->utf8 = choose_locale();
  tty = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
  if (tty < 0 || !modes_save(tty)) return give_up(CN_NO_TERMINAL);
  const char *type = NULL;
  int32_t status = check_type(type);
  if (status == CN_UNKNOWN_TYPE && (type = terminfo_use_built_in())) status = check_type(type);
  if (status == CN_OK) status = start(type, found);
  terminfo_put_back(type);
  return status == CN_OK ? status : give_up(status);
}

void cn_release(void) {
  if (!screen || isendwin()) return;
  modes_leave();
  curs_set(1);
  endwin();
  modes_restore_line();
}

void cn_restore(void) {
  if (!screen) return;
  modes_enter();
  reset_prog_mode();
  cn_resize();
  clearok(curscr, TRUE);
  wnoutrefresh(stdscr);
  doupdate();
  curs_set(0);
}

void cn_suspend(void) {
  cn_release();
  signals_stop_job();
  cn_restore();
}

void cn_close(void) {
  if (!screen) return;
  cn_release();
  delscreen(screen);
  screen = NULL;
  give_up(CN_OK);
}

void cn_size(int32_t *width, int32_t *height) {
  int rows = 0, columns = 0;
  if (screen) getmaxyx(stdscr, rows, columns);
  *width = columns;
  *height = rows;
}

bool cn_resize(void) {
  struct winsize size;
  int rows, columns;
  if (!screen || ioctl(tty, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0) return false;
  getmaxyx(stdscr, rows, columns);
  if (rows == size.ws_row && columns == size.ws_col) return false;
  resize_term(size.ws_row, size.ws_col);  // resizeterm() would also queue a KEY_RESIZE
  clearok(curscr, TRUE);  // terminals differ in which contents they keep, and where
  return true;
}

static attr_t attribute_bits(uint32_t attributes) {
  attr_t bits = A_NORMAL;
  if (attributes & CN_BOLD) bits |= A_BOLD;
  if (attributes & CN_DIM) bits |= A_DIM;
  if (attributes & CN_UNDERLINE) bits |= A_UNDERLINE;
  if (attributes & CN_REVERSE) bits |= A_REVERSE;
  return bits;
}

void cn_put(int32_t x, int32_t y, const uint32_t *scalars, int32_t count, uint32_t attributes, int32_t pair) {
  wchar_t text[CCHARW_MAX + 1];
  cchar_t cell;
  if (!screen) return;
  if (count > CCHARW_MAX) count = CCHARW_MAX;
  for (int32_t i = 0; i < count; i++) text[i] = (wchar_t)scalars[i];
  text[count] = 0;
  if (setcchar(&cell, text, attribute_bits(attributes), (short)pair, NULL) == OK) mvadd_wch(y, x, &cell);
}

void cn_put_run(int32_t x, int32_t y, const uint32_t *scalars, int32_t count, uint32_t attributes, int32_t pair) {
  enum { ROOM = 128 };
  cchar_t cells[ROOM];
  attr_t bits = attribute_bits(attributes);
  if (!screen) return;
  while (count > 0) {
    int32_t length = count < ROOM ? count : ROOM;
    for (int32_t i = 0; i < length; i++) {
      wchar_t text[2] = {(wchar_t)scalars[i], 0};
      setcchar(&cells[i], text, bits, (short)pair, NULL);
    }
    mvadd_wchnstr(y, x, cells, length);
    x += length;
    scalars += length;
    count -= length;
  }
}

void cn_color_pair(int32_t pair, int32_t foreground) {
#if NCURSES_EXT_COLORS
  init_extended_pair(pair, foreground, -1);  // the only function that accepts an RGB value
#else
  init_pair((short)pair, (short)foreground, -1);
#endif
}

void cn_cursor(int32_t x, int32_t y, bool visible) {
  if (!screen) return;
  curs_set(visible ? 1 : 0);
  if (visible) move(y, x);
}

void cn_erase(void) {
  if (screen) erase();
}

void cn_repaint(void) {
  if (screen) clearok(curscr, TRUE);
}

void cn_flush(void) {
  if (!screen) return;
  wnoutrefresh(stdscr);
  doupdate();
}

int32_t cn_width(uint32_t scalar) { return wcwidth((wchar_t)scalar); }

const char *cn_capability(const char *name) {
  const char *bytes = screen ? tigetstr(name) : NULL;
  return bytes == (char *)-1 ? NULL : bytes;
}

void cn_write(const void *bytes, size_t count) {
  if (screen) tty_write(tty, bytes, count);
}

void cn_mouse(bool on) { modes_mouse(on); }
