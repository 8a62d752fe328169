// Linux functions for a process that Swift's modules do not provide.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// The arguments, starting with the program's name, and their number, which is 0 if the C library does not provide them.
// glibc does.
int32_t ck_argument_count(void);
const char *ck_argument(int32_t index);

// Returns a descriptor that becomes readable each time `seconds` seconds have passed, or -1. Reading it does not block.
int32_t ck_ticks(int32_t seconds);

// Records the descriptors that this program was started with.
void ck_note_given_descriptors(void);

// A stream of a program that is /dev/null.
enum { CK_NULL = -1 };

// The way in which a program is started.
typedef struct {
  // The descriptors that become 0, 1, and 2, or CK_NULL; NULL for this process's own streams.
  const int32_t *streams;
  // Whether it leads its own process group.
  bool leads_group;
  // Whether it gets SIGTERM when the thread that starts it ends, even by SIGKILL (Linux).
  bool ends_with_us;
  // Whether it gets the descriptors that this program was started with. It never gets any other above 2.
  bool keeps_given;
} ck_start;

// Returns the entries of this process's environment, up to NULL.
char *const *ck_environment(void);

// Starts the program words[0], which is searched in PATH unless it contains a slash. Returns 0, or the error.
int32_t ck_spawn(char *const *words, char *const *environment, const ck_start *how, int32_t *pid);

// Returns the size of the process's address space in bytes; 0 where there is no /proc (proc_pid_statm(5)).
uint64_t ck_reserved_bytes(void);

// Returns the user ID of the process that listens on the socket to which `socket` is connected, or -1.
int64_t ck_peer_user(int32_t socket);
