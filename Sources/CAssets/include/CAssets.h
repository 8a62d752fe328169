#pragma once

#include <stddef.h>

// A file of the folder `assets`, embedded in the program.
struct ssoterm_asset {
  const char *path;            // below `assets`: "scenarios/contoso-suite.yaml"
  const unsigned char *bytes;
  size_t count;
};

// Returns all files, sorted by the bytes of their paths.
const struct ssoterm_asset *ssoterm_assets(size_t *count);
