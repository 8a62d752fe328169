// Linux functions for a process that Swift's modules do not provide.
#pragma once
#include <stdint.h>

// The arguments, starting with the program's name, and their number, which is 0 if the C library does not provide them.
// glibc does.
int32_t ck_argument_count(void);
const char *ck_argument(int32_t index);

// Returns a descriptor that becomes readable each time `seconds` seconds have passed, or -1. Reading it does not block.
int32_t ck_ticks(int32_t seconds);
