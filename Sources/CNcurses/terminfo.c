// Terminal types for a machine without a terminfo database, or with a database that lacks the type.
#include "terminfo.h"
#include <stdlib.h>
#include <string.h>

static const struct entry {
  const char *name, *bytes;
} entries[] = {
#include "terminfo-entries.h"
};

static char *before;  // the previous value of TERMINFO

// The variants of xterm (xterm-kitty, xterm-ghostty) understand everything that xterm-256color does.
static const struct entry *entry_for(const char *type) {
  for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
    if (strcmp(entries[i].name, type) == 0) return &entries[i];
  return strncmp(type, "xterm-", 6) == 0 ? entry_for("xterm-256color") : NULL;
}

const char *terminfo_use_built_in(void) {
  const char *type = getenv("TERM"), *folder = getenv("TERMINFO");
  const struct entry *entry = type ? entry_for(type) : NULL;
  if (!entry) return NULL;
  before = folder ? strdup(folder) : NULL;
  setenv("TERMINFO", entry->bytes, 1);
  return entry->name;
}

void terminfo_put_back(const char *type) {
  if (!type) return;
  if (before) setenv("TERMINFO", before, 1);
  else unsetenv("TERMINFO");
  free(before);
  before = NULL;
}
