// The terminal types that are built into the program.
#pragma once

// Makes ncurses read the built-in entry for TERM, until terminfo_put_back() is called. Returns the name of the entry,
// or NULL if there is none.
const char *terminfo_use_built_in(void);
// Restores the variable through which ncurses found the entry, because programs that are started later inherit it.
void terminfo_put_back(const char *type);
