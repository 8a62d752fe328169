import ArgumentParser
import SSOCore
import SSOLab

/// `ssoterm open URL --from APP`.
struct OpenCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "open", "Let an app open a URL: a request to the broker, or another app's scheme.",
    examples: ["ssoterm open \"msauth.com.contoso.mytestapp1://auth\" --from mytestapp2"])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Argument(help: "The URL, such as msauthv2://broker?…")
  var url: String

  @Option(help: "The app that opens it.", completion: .app)
  var from: String

  @OptionGroup(title: "Answers") var prompts: PromptOptions

  func perform(on console: Console) throws -> ExitStatus {
    let lab = try console.openLab(options)
    var answerer = try prompts.answerer(on: lab, console)
    let intent = OpenURL(url, from: try bundleID(from, in: lab))
    let result = try runInteractively(intent, on: lab, with: &answerer)
    let status = try console.show(result)
    // This is not an error of a server or an SDK: no app opens the URL.
    return status == .fault && result.outcome.errorDomain == nil ? .nothingMatched : status
  }
}
