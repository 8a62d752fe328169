// The terminal through ncursesw, with only the functions that SSOTerm needs: open it, draw cells, and recover from
// anything. It uses fixed-width types only, so that no curses header and no macro reaches Swift.
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

// The result of cn_open().
typedef struct {
  int32_t input;    // read keys from this descriptor
  int32_t signals;  // read one byte per signal from this descriptor: its number, or the 0 that was written to `waker`
  int32_t waker;    // write a 0 byte to this descriptor to wake the reader, from any thread
  int32_t colors;   // 0, 8, 16, 256 or more
  bool direct;      // whether a colour number from 8 on is an RGB value
  bool utf8;
} cn_terminal;

int32_t cn_open(cn_terminal *found);
void cn_close(void);

// Restores the original state of the terminal, and takes it over again. A child may use the terminal in between.
void cn_release(void);
void cn_restore(void);
// Releases the terminal, stops the whole job as ^Z does, and takes the terminal over when the job continues.
void cn_suspend(void);

void cn_size(int32_t *width, int32_t *height);
// Reads the size from the kernel, and returns true if it has changed.
bool cn_resize(void);

void cn_put(int32_t x, int32_t y, const uint32_t *scalars, int32_t count, uint32_t attributes, int32_t pair);
// Writes `count` printable ASCII characters into as many cells.
void cn_put_run(int32_t x, int32_t y, const uint32_t *scalars, int32_t count, uint32_t attributes, int32_t pair);
void cn_color_pair(int32_t pair, int32_t foreground);
// Shows the cursor at a position, or hides it.
void cn_cursor(int32_t x, int32_t y, bool visible);
void cn_erase(void);
// Makes the next flush repaint everything.
void cn_repaint(void);
void cn_flush(void);

// Returns the number of columns according to the C library, or -1 for a scalar that it does not know.
int32_t cn_width(uint32_t scalar);
// Returns the bytes of a terminfo string capability, or NULL.
const char *cn_capability(const char *name);
// Writes bytes directly to the terminal, between two flushes.
void cn_write(const void *bytes, size_t count);
void cn_mouse(bool on);
// Sets the bytes (at most 255) that are written first when a signal terminates the program, or NULL for none.
void cn_last_words(const char *bytes);

// Turns the first signal from outside that would terminate the program into a byte of `signals`. The program then has
// five seconds to terminate itself with cn_end_as_asked().
void cn_delay_end(bool on);
int32_t cn_asked_to_end(void);
void cn_end_as_asked(void);

// Turns off the echo of a terminal until cn_show_typing() is called, however the program terminates or stops. With
// key_by_key, reads do not wait for the end of a line, and ^C and ^Z are ordinary keys.
bool cn_hide_typing(int32_t tty, bool key_by_key);
void cn_show_typing(void);

// Disables core files, for a process that has secrets in memory.
void cn_forbid_core_dumps(void);

// Prevents the signals that would terminate this process, except those of a crash, from doing so from now on. Signals
// that it ignores remain ignored.
void cn_catch_ends(void);
// Returns the signal that arrived before there was a child to forward it to, or 0 if there was none.
int32_t cn_early_end(void);
// Waits for the child to exit, and forwards the signals above to it, or to its process group if it leads one, which
// gets SIGTERM at the end. Without cn_catch_ends(), this process then terminates as the signal asked it to. Returns the
// child's exit status, or 128 plus the number of the signal that terminated it.
int32_t cn_await_child(int32_t pid, bool leads_group);
