// The lookup that the unwinder of GCC 12 and later makes for each frame of a C++ exception. The program contains that
// unwinder (libstdc++, -static-libgcc).
//
// https://sourceware.org/glibc/manual/latest/html_node/Dynamic-Linker-Introspection.html describes `_dl_find_object`, and
// https://man7.org/linux/man-pages/man3/dl_iterate_phdr.3.html the walk over the loaded objects.
#ifdef __linux__
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CGlibcFloor.h"

struct search {
  uintptr_t address;
  void *frames;
};

// Stops at the object that contains the address.
static int examine(struct dl_phdr_info *object, size_t size, void *context) {
  (void)size;
  struct search *search = context;
  const ElfW(Phdr) *headers = object->dlpi_phdr;
  bool contains_address = false;
  search->frames = NULL;
  for (size_t i = 0; i < object->dlpi_phnum; i++) {
    uintptr_t start = object->dlpi_addr + headers[i].p_vaddr;
    if (headers[i].p_type == PT_LOAD && search->address - start < headers[i].p_memsz) {
      contains_address = true;
    } else if (headers[i].p_type == PT_GNU_EH_FRAME) {
      search->frames = (void *)start;
    }
  }
  return contains_address;
}

void *gf_frames(const void *address) {
  struct search search = {(uintptr_t)address, NULL};
  return dl_iterate_phdr(examine, &search) != 0 ? search.frames : NULL;
}

// If glibc's headers lack the function, the compiler's unwinder does not call it.
#ifdef DLFO_STRUCT_HAS_EH_DBASE
__attribute__((visibility("hidden"))) int _dl_find_object(void *address, struct dl_find_object *result) {
  // The unwinder reads nothing else of the result.
  *result = (struct dl_find_object){.dlfo_eh_frame = gf_frames(address)};
  return result->dlfo_eh_frame != NULL ? 0 : -1;
}
#endif
#endif
