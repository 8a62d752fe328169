import Foundation

/// A program that inherits this one's terminal and streams.
package struct SpawnedProgram {
  package let pid: pid_t

  /// Starts a program; `words` are its name, looked for in `PATH` unless it has a slash, and its arguments.
  /// - Throws: `ENOENT` if there is no such program.
  package init(_ words: [String], environment: [String: String]) throws(SystemError) {
    var attributes = Attributes()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // This program may ignore them, and a child would go on to.
    var ignored = sigset_t()
    sigemptyset(&ignored)
    for signal in [SIGPIPE, SIGINT, SIGQUIT] { sigaddset(&ignored, signal) }
    posix_spawnattr_setsigdefault(&attributes, &ignored)
    // The threads of this program leave signals to the main one; a child of theirs would block them too.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var pid: pid_t = 0
    let code = posix_spawnp(&pid, words.first ?? "", nil, &attributes, &arguments, &variables)
    guard code == 0 else { throw SystemError(code: code) }
    self.pid = pid
  }
}

#if canImport(Glibc)
  private typealias Attributes = posix_spawnattr_t
#else
  private typealias Attributes = posix_spawnattr_t?

  extension Optional where Wrapped == OpaquePointer {
    fileprivate init() { self = nil }
  }
#endif
