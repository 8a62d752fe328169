#pragma once

#include <stddef.h>

// A file of the folder `assets` that is part of the program.
struct ssoterm_asset {
  const char *path;            // below `assets`: "scenarios/contoso-suite.yaml"
  const unsigned char *bytes;
  size_t count;
};

// All of them, in the order of their paths' bytes.
const struct ssoterm_asset *ssoterm_assets(size_t *count);
