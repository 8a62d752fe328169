import Foundation
import Testing

@testable import KeyedArchive
@testable import TestSamples

/// Archives that Python's plistlib wrote (`Samples/archives/archives.py make`).
enum ArchiveSample: String, CaseIterable, Sendable {
  case accessToken = "adal-2.6.6-access-token"
  case refreshToken = "adal-2.6.6-refresh-token"
  case family = "adal-2.7-family"

  var data: Data { get throws { try Data(contentsOf: Self.folder.appending(path: rawValue + ".bplist")) } }

  static let folder = sampleFolder.appending(path: "archives")
}

/// Returns what Python reads from an archive, as JSON, or `nil` without `python3`.
func pythonMeaning(of data: Data) throws -> String? {
  let python = ["/usr/bin/python3", "/usr/local/bin/python3"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }
  guard let python else { return nil }
  let input = Pipe()
  let output = Pipe()
  let process = Process()
  process.executableURL = URL(filePath: python)
  process.arguments = [ArchiveSample.folder.appending(path: "archives.py").path(), "meaning"]
  process.standardInput = input
  process.standardOutput = output
  try process.run()
  try input.fileHandleForWriting.write(contentsOf: data)
  try input.fileHandleForWriting.close()
  let text = try output.fileHandleForReading.readToEnd()
  process.waitUntilExit()
  return process.terminationStatus == 0 ? text.flatMap { String(bytes: $0, encoding: .utf8) } : "refused"
}

/// Returns an archive with these `$objects` after `$null`.
///
/// The root is UID 1.
func archive(
  _ objects: [PropertyListValue], top: PropertyListValue = .dictionary(["root": .uid(1)]),
  archiver: PropertyListValue = .string("NSKeyedArchiver"), version: PropertyListValue = .integer(100_000)
) -> Data {
  BinaryPropertyListWriter.data(
    of: .dictionary([
      "$archiver": archiver, "$version": version, "$top": top,
      "$objects": .array([.string("$null")] + objects),
    ]))
}

/// Returns a class as an entry of `$objects`.
func archivedClass(_ chain: String...) -> PropertyListValue {
  .dictionary(["$classname": .string(chain[0]), "$classes": .array(chain.map(PropertyListValue.string))])
}
