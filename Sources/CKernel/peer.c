#ifdef __linux__
#define _GNU_SOURCE
#endif
#include "CKernel.h"
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

#ifdef __linux__
int64_t ck_peer_user(int32_t socket) {
  struct ucred peer;
  socklen_t size = sizeof peer;
  // Only a Unix socket has such a peer; for any other, the kernel reports the user ID -1.
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || peer.uid == (uid_t)-1) return -1;
  return peer.uid;
}
#else
int64_t ck_peer_user(int32_t socket) {
  uid_t user;
  gid_t group;
  return getpeereid(socket, &user, &group) == 0 ? (int64_t)user : -1;
}
#endif
