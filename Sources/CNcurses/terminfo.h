// The terminal types that the program has built in.
#pragma once

// Makes ncurses read the built-in entry for TERM, until terminfo_put_back(). Returns the name of the entry, or NULL if
// there is none.
const char *terminfo_use_built_in(void);
// Restores the variable by which ncurses found the entry: programs that are started later inherit it.
void terminfo_put_back(const char *type);
