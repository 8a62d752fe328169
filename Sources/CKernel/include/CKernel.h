// What Linux offers a process and Swift's modules do not.
#pragma once
#include <stdint.h>

// The arguments, the program's name first, and their number. 0 where the C library does not tell: glibc does.
int32_t ck_argument_count(void);
const char *ck_argument(int32_t index);

// A descriptor that is readable each time so many seconds have passed, or -1. Reading it does not block.
int32_t ck_ticks(int32_t seconds);
