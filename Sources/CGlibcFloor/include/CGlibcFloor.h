// Two functions that are new in glibc 2.35, so that the program starts on glibc 2.34: Red Hat Enterprise Linux 9, Amazon
// Linux 2023, and Ubuntu 22.04.
//
// The program calls them by glibc's names, `_dl_find_object` and `hypotf`. These are hidden: a library that the program
// loads later gets glibc's own.
#pragma once

// Returns the table of exception frames (PT_GNU_EH_FRAME) of the loaded object that contains the address, or NULL.
void *gf_frames(const void *address);

float gf_hypotf(float x, float y);
