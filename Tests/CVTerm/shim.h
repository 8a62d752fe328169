// libvterm plus the pty calls that the Glibc module does not show to Swift.
#pragma once
#include <vterm.h>
int posix_openpt(int);
int grantpt(int);
int unlockpt(int);
int ptsname_r(int, char *, unsigned long);
