import Essentials

/// The plain HTTP port of a machine with managed identities, and the proof that a caller runs on it.
///
/// `LoopbackServer` listens on the port. The Azure Arc key file is deleted with this object.
final class MachinePort: Sendable {
  let free: FreePort
  let machine: ServedMachine

  /// - Throws: `LabError` if the port is in use, or the folder of Azure Arc cannot be written.
  init(_ options: MachineOptions, addresses: [LoopbackAddress], issuerOrigin: String) throws {
    free = try FreePort(options.port, on: addresses)
    var system = SystemRandomNumberGenerator()
    let words = (0..<4).map { _ in String(UInt64.random(in: .min ... .max, using: &system), radix: 16) }
    var host = ManagedIdentityHost(options.kind, secret: words.joined(), issuerOrigin: issuerOrigin)
    if options.kind == .arc { host.file = try Self.write(host.secret) }
    machine = ServedMachine(host: host, port: free.port)
  }

  deinit { if let file = machine.host.file { try? FileManager.default.removeItem(atPath: file) } }

  /// Writes the secret to a new file that only this user can read.
  /// - Returns: the file's path.
  private static func write(_ secret: String) throws -> String {
    let folder = ManagedIdentityHost.arcFolder
    let path = "\(folder)/ssoterm-\(UUID().uuidString.lowercased()).key"
    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    guard
      FileManager.default.createFile(
        atPath: path, contents: Data(secret.utf8), attributes: [.posixPermissions: 0o600])
    else {
      throw LabError(
        .badInput, "The folder \(folder) cannot be written.",
        why: "Clients of Azure Arc read the secret from there and from nowhere else.",
        next: "sudo install -d -o \(ProcessInfo.processInfo.userName) \(folder)")
    }
    return path
  }
}
