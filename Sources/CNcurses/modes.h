// What the parts of the shim share.
#pragma once
#include <stdbool.h>
#include <stddef.h>

// Remembers how the terminal is now, before anything is changed.
bool modes_save(int tty);
// Builds the reset string; call once terminfo is loaded.
void modes_prepare(void);
// Switches on, in order, what ncurses does not know of.
void modes_enter(void);
// Switches that off again in reverse order.
void modes_leave(void);
// The line settings as they were saved.
void modes_restore_line(void);
// Undoes everything, ncurses' part included. Safe in a signal handler.
void modes_reset_after_crash(void);
void modes_mouse(bool on);

void tty_write(int tty, const char *bytes, size_t count);

// Installs the handlers once. False when there is no self-pipe.
bool signals_install(int *read_end, int *write_end);
void signals_stop_job(void);
int signals_run(const char *command);
// Until signals_unguard(): a signal that ends the program, or ^Z, calls `restore` first; after a stop `again` is called.
void signals_guard(void (*restore)(void), void (*again)(void));
void signals_unguard(void);
