import ArgumentParser
import Essentials
import SSOCore
import SSOLab
import SSOStore
import SSOTermApp
import SafeText

/// `ssoterm key export|import`.
struct LabKeyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "key", "Export or import the key of a team's lab.",
    examples: ["ssoterm key export -o key.txt", "ssoterm key import key.txt"],
    subcommands: [KeyExport.self, KeyImport.self])
}

struct KeyExport: LabCommand {
  static let configuration = CommandConfiguration(
    "export", "Export the lab's key for another person, and the code that opens it.",
    examples: ["ssoterm key export -o team1.key", "ssoterm key export | mail -s key ben"],
    after: """
      The key is never in the database: everyone who uses a lab has it in a private file. The exported key is encrypted, \
      so you can send it by mail or chat. Send the code in a different way, such as by telephone: anyone with both can read \
      the lab's secrets. Each export has a different code. Without -o, the code is written to standard error.
      """)

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Option(
    name: .shortAndLong, help: "The file to write, with mode 0600 (default: standard output).",
    completion: .file())
  var output: String?

  func perform(on console: Console) throws -> ExitStatus {
    let sealed = try LabKey.sealed(of: console.openLabToRead(options).store)
    if let output { try writePrivately(sealed.text, to: output) }
    if console.json {
      console.print(document: [
        "code": .string(sealed.code), "file": .optional(output),
        "key": .optional(output == nil ? sealed.text : nil),
      ])
      return .done
    }
    if let output {
      console.print("✓ \(safe(output))\nCode: \(sealed.code)")
    } else {
      console.print(sealed.text, terminator: "")
      console.complain("Code: \(sealed.code)")
    }
    console.note("send the code separately from the key, then: ssoterm key import FILE")
    return .done
  }

  /// Writes to a new file that only the user can read.
  ///
  /// Never overwrites an existing file.
  private func writePrivately(_ text: String, to path: String) throws(CommandFailure) {
    do throws(SystemError) { try createFile(Data(text.utf8), at: path) } catch {
      throw CommandFailure(writing: path, error, next: "the same command with -o other.key")
    }
  }
}

struct KeyImport: LabCommand {
  static let configuration = CommandConfiguration(
    "import", "Import a lab's key that another person has exported.",
    examples: [
      "ssoterm key import team1.key --store 'postgresql://db/qa?lab=team1'",
      "ssoterm key import team1.key --code-stdin < code.txt",
    ],
    after: """
      Prompts for the code. The key is stored only if it opens the lab. An existing key is never replaced.
      """)

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Argument(help: "The exported key; - is standard input.", completion: .file())
  var file: String

  @Flag(name: .customLong("code-stdin"), help: "Read the code from standard input.")
  var codeFromInput = false

  func perform(on console: Console) throws -> ExitStatus {
    if file == "-", codeFromInput {
      throw CommandFailure(
        usage: "Standard input is the key already.", why: "--code-stdin reads the code there",
        next: "ssoterm key import team1.key --code-stdin < code.txt")
    }
    let text = String(decoding: try readFile(file).data.prefix(65_536), as: UTF8.self)
    let location = try storeLocation(option: options.storePath())
    let kept = try LabKey.keep(try key(in: text, code: code(console)), for: location)
    return try console.show(["file": .optional(kept), "store": .string(location.name)]) {
      kept.map { "✓ The key is in \(safe($0))" } ?? "✓ The lab has this key already."
    }
  }

  private func code(_ console: Console) throws -> String {
    if codeFromInput { return StandardStreams.readLine() ?? "" }
    guard let typed = console.dialogue()?.ask("Code:", hidden: true) else {
      throw CommandFailure.unanswered("the code of the key", option: "--code-stdin")
    }
    return typed
  }

  private func key(in text: String, code: String) throws(CommandFailure) -> Data {
    do throws(SealedKey.Refusal) { return try SealedKey.key(in: text, code: code) } catch {
      throw error == .noKey
        ? CommandFailure(
          usage: "\(file) does not contain a key.",
          why: "it was not written by ssoterm key export",
          next: "ssoterm key export -o team1.key")
        : CommandFailure(
          usage: "The code does not open this key.", why: "each export has a different code",
          next: "Ask who exported the key for its code, then: ssoterm key import \(shellWord(file))")
    }
  }
}
