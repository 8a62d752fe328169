import ArgumentParser
import SSOLab
import SSOTermApp

/// `ssoterm expire CREDENTIAL…`
struct ExpireCommand: LabCommand {
  static let configuration = CommandConfiguration(
    commandName: "expire", abstract: "Let credentials expire now.")

  @OptionGroup var options: GlobalOptions

  @Argument(help: "IDs of `ssoterm tokens`, like t12.")
  var credentials: [String]

  func perform(on console: Console) throws -> ExitStatus {
    let lab = try console.openLab(options)
    return try console.show(try runUnattended(.expire(credentials: credentials), on: lab))
  }
}

/// `ssoterm invalidate CREDENTIAL…`
struct InvalidateCommand: LabCommand {
  static let configuration = CommandConfiguration(
    commandName: "invalidate", abstract: "Make credentials ones that the provider refuses.")

  @OptionGroup var options: GlobalOptions

  @Argument(help: "IDs of `ssoterm tokens`, like t12.")
  var credentials: [String]

  func perform(on console: Console) throws -> ExitStatus {
    let lab = try console.openLab(options)
    return try console.show(try runUnattended(.invalidate(credentials: credentials), on: lab))
  }
}
