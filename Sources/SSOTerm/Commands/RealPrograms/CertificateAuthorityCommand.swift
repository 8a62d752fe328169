import ArgumentParser
import Essentials
import SSOCore
import SSOServer
import SSOTermApp

/// `ssoterm ca`: the lab's certificate authority, which `serve` uses and clients have to trust.
struct CertificateAuthorityCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "ca", "Show or export the lab's certificate authority.",
    examples: ["ssoterm ca show", "ssoterm ca export -o ca.pem"],
    subcommands: [ShowAuthorityCommand.self, ExportAuthorityCommand.self])
}

/// `ssoterm ca show`.
struct ShowAuthorityCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "show", "Show its subject, its validity, and the path of its file.",
    examples: ["ssoterm ca show"])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  func perform(on console: Console) throws -> ExitStatus {
    let lab = try console.openLab(options)
    let authority = try CertificateAuthority(of: lab)
    let file = CertificateAuthorityFile(of: lab)
    try file.keep(authority)
    let (from, until) = (Self.day(authority.validFrom), Self.day(authority.validUntil))
    let fingerprint = try authority.fingerprint
    let document: JSONValue = [
      "subject": .string(authority.subject), "sha256": .string(fingerprint), "validFrom": .string(from),
      "validUntil": .string(until), "file": .string(file.path),
      "names": .strings(Loopback.allCases.map(\.rawValue)),
    ]
    return try console.show(document) {
      """
      subject     \(authority.subject)
      valid       \(from) to \(until)
      only for    \(Loopback.displayText)
      SHA-256     \(fingerprint)
      file        \(safe(file.path))
      """
    }
  }

  private static func day(_ date: Date) -> String {
    String(Instant(Int(date.timeIntervalSince1970)).iso8601.prefix(10))
  }
}

/// `ssoterm ca export [-o FILE]`.
struct ExportAuthorityCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "export", "Write its certificate as PEM, for clients that need to trust it.",
    examples: ["ssoterm ca export -o lab.pem"])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Option(name: .shortAndLong, help: "The file to write (default: standard output).", completion: .file())
  var output: String?

  func perform(on console: Console) throws -> ExitStatus {
    let lab = try console.openLab(options)
    let pem = try CertificateAuthority(of: lab).pem
    guard let output else {
      return try console.show(["pem": .string(pem)]) { String(pem.dropLast()) }
    }
    try CertificateAuthorityFile.write(pem, to: output)
    return try console.show(["file": .string(output)]) { "✓ \(safe(output))" }
  }
}
