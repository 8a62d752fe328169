import ArgumentParser

/// `ssoterm expire CREDENTIAL…`.
struct ExpireCommand: LabCommand {
  static let configuration = CommandConfiguration(
    commandName: "expire", abstract: "Mark credentials as expired.",
    discussion: examples(
      "ssoterm expire t2",
      "ssoterm silent mytestapp1 && ssoterm expire t2 && ssoterm silent mytestapp1"))

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Argument(help: "IDs that ssoterm tokens prints, such as t12.", completion: .credential)
  var credentials: [String]

  func perform(on console: Console) throws -> ExitStatus {
    let lab = try console.openLab(options)
    return try console.show(try runUnattended(.expire(credentials: credentials), on: lab))
  }
}

/// `ssoterm invalidate CREDENTIAL…`.
struct InvalidateCommand: LabCommand {
  static let configuration = CommandConfiguration(
    commandName: "invalidate", abstract: "Mark credentials as invalid: the provider refuses them.",
    discussion: examples(
      "ssoterm invalidate t3"))

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Argument(help: "IDs that ssoterm tokens prints, such as t12.", completion: .credential)
  var credentials: [String]

  func perform(on console: Console) throws -> ExitStatus {
    let lab = try console.openLab(options)
    return try console.show(try runUnattended(.invalidate(credentials: credentials), on: lab))
  }
}
