// Declarations that the parts of the shim share.
#pragma once
#include <stdbool.h>
#include <stddef.h>

// Saves the state of the terminal before anything is changed.
bool modes_save(int tty);
// Builds the reset string. Call this after terminfo is loaded.
void modes_prepare(void);
// Switches on, in order, the modes that ncurses does not know about.
void modes_enter(void);
// Switches these modes off in reverse order.
void modes_leave(void);
// Restores the saved line settings.
void modes_restore_line(void);
// Undoes all modes, including those of ncurses. Safe in a signal handler.
void modes_reset_after_crash(void);
void modes_mouse(bool on);

void tty_write(int tty, const char *bytes, size_t count);

// Installs the handlers once. Returns false if the self-pipe cannot be created.
bool signals_install(int *read_end, int *write_end);
void signals_stop_job(void);
// Whether this signal, sent from outside, would end a process that does not handle it.
bool signals_end_a_process(int number);
// Guards a section until signals_unguard() is called: a signal that terminates the program, or ^Z, calls `restore`
// first. After a stop, `again` is called.
void signals_guard(void (*restore)(void), void (*again)(void));
void signals_unguard(void);
