// The terminal through ncursesw, as far as SSOTerm needs it: open it, draw cells, come back from
// anything. Fixed-width types only, so that no curses header and no macro reaches Swift.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cn_status {
  CN_OK = 0,
  CN_NO_TERMINAL,       // there is no controlling terminal
  CN_UNKNOWN_TYPE,      // terminfo does not know TERM
  CN_NO_CURSOR_MOTION,  // TERM has no `cup`, so nothing can be drawn
  CN_ALREADY_OPEN,
};

enum cn_attribute { CN_BOLD = 1, CN_DIM = 2, CN_UNDERLINE = 4, CN_REVERSE = 8 };

// What cn_open found.
typedef struct {
  int32_t input;    // read keys here
  int32_t signals;  // read one byte per signal here: its number, or 0 from cn_wake
  int32_t waker;    // write a 0 byte here to wake the reader, from any thread
  int32_t colors;   // 0, 8, 16, 256 or more
  bool direct;      // a colour number from 8 on is an RGB value
  bool utf8;
} cn_terminal;

int32_t cn_open(cn_terminal *found);
void cn_close(void);

// Gives the terminal back as it was, and takes it again; between the two a child may use it.
void cn_release(void);
void cn_restore(void);
// Releases the terminal, stops the whole job as ^Z does, and restores when the job continues.
void cn_suspend(void);
// Releases the terminal, lets the shell run a command in the foreground, and restores. ^C is the command's, ^Z stops the
// whole job. Returns its exit status; 128 and the number of the signal that ended it.
int32_t cn_run(const char *command);

void cn_size(int32_t *width, int32_t *height);
// Asks the kernel for the size; true when it has changed.
bool cn_resize(void);

void cn_put(int32_t x, int32_t y, const uint32_t *scalars, int32_t count, uint32_t attributes, int32_t pair);
void cn_color_pair(int32_t pair, int32_t foreground);
// Shows the cursor at a place, or hides it.
void cn_cursor(int32_t x, int32_t y, bool visible);
void cn_erase(void);
// The next flush repaints everything.
void cn_repaint(void);
void cn_flush(void);

// Columns as the C library counts them; -1 for what it does not know.
int32_t cn_width(uint32_t scalar);
// The bytes of a terminfo string capability, or NULL.
const char *cn_capability(const char *name);
// Bytes straight to the terminal, between two flushes.
void cn_write(const void *bytes, size_t count);
void cn_mouse(bool on);
// Bytes (at most 255) that are written first when a signal ends the program; NULL: none.
void cn_last_words(const char *bytes);

// A signal from outside that would end the program becomes a byte of `signals` instead, once: the program then has five
// seconds to end itself by cn_end_as_asked().
void cn_delay_end(bool on);
int32_t cn_asked_to_end(void);
void cn_end_as_asked(void);

// What is typed on a terminal is not shown until cn_show_typing(), whatever ends or stops the program. By key:
// without waiting for the end of a line, and ^C and ^Z are keys.
bool cn_hide_typing(int32_t tty, bool key_by_key);
void cn_show_typing(void);

// For a process that has secrets in memory.
void cn_forbid_core_dumps(void);

// From now on SIGINT, SIGTERM, SIGHUP and SIGQUIT do not end this process; those that it ignores it goes on ignoring.
void cn_catch_ends(void);
// The signal that came before there was a child to pass it on to; 0: none.
int32_t cn_early_end(void);
// Waits for the child's end, and passes on to it the signals above. Returns its exit status; 128 and the number of the
// signal that ended it.
int32_t cn_await_child(int32_t pid);
