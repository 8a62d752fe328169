import ArgumentParser
import SSOCore
import SSODevice
import SSODoctor
import SSOLab
import SSOProvider
import SSOTermApp

/// `ssoterm app show`: the fields of an app, or the files that its developer would write.
struct AppShow: LabCommand {
  static let configuration = CommandConfiguration(
    "show", "Show all fields, or the files that a developer would write.",
    examples: ["ssoterm app show mytestapp1", "ssoterm app show mytestapp1 --as plist"],
    after: """
      plist is Info.plist, the entitlements, and the code that sets a keychain group, of an app for iOS or macOS; \
      android is the build file, AndroidManifest.xml, and MSAL's configuration; manifest is the manifest of the app \
      registration. With --json, each file is a path and a text.
      """)

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Argument(help: "Its name, or an unambiguous part of it.", completion: .records(.app))
  var name: String

  @Option(name: .customLong("as"), help: "Print these files instead of the fields.")
  var form: ProjectExport.Form?

  func perform(on console: Console) throws -> ExitStatus {
    guard let form else {
      var show = RecordShow<AppRecords>()
      (show.options, show.name) = (options, name)
      return try show.perform(on: console)
    }
    let lab = try console.openLabToRead(options)
    let export = try lab.read { reader in
      let app = try reader.app(name)
      return ProjectExport(of: app, try reader.directory.registration(clientID: app.clientID))
    }
    guard form == .manifest || form == export.ownForm else {
      guard let own = export.ownForm else {
        throw CommandFailure(
          usage: "The app has no such files.", why: "SSOTerm does not simulate apps for Windows",
          next: "ssoterm app show \(name)")
      }
      throw CommandFailure(
        usage: "The app has no such files.", why: "its platform's are those of --as \(own.rawValue)",
        next: "ssoterm app show \(name) --as \(own.rawValue)")
    }
    let files = export.files(form)
    return try console.show([
      "files": .array(files.map { ["path": .string($0.path), "text": .string($0.text)] })
    ]) {
      files.map { file in
        let text = file.text.hasSuffix("\n") ? String(file.text.dropLast()) : file.text
        return files.count == 1 ? text : console.ink.draw("==> \(file.path) <==", .faint) + "\n" + text
      }.joined(separator: "\n\n")
    }
  }
}

extension ProjectExport.Form: ExpressibleByArgument {}
