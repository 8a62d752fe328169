import ArgumentParser

/// The `--managed-identity` option, for the commands that serve.
struct MachineOption: ParsableArguments {
  @Option(
    name: .customLong("managed-identity"),
    help: ArgumentHelp(
      "Simulate a machine with managed identities too, on plain HTTP: imds, app-service, machine-learning or "
        + "arc, with :PORT for a fixed port.", valueName: "kind"),
    completion: .list(ManagedIdentityHost.Kind.allCases.map(\.rawValue)), transform: Self.options)
  var options: MachineOptions?

  static func options(_ word: String) throws -> MachineOptions {
    let parts = word.split(separator: ":", maxSplits: 1).map(String.init)
    guard let kind = parts.first.flatMap(ManagedIdentityHost.Kind.init(rawValue:)),
      let port = parts.count < 2 ? 0 : Int(parts[1]), (0...65_535).contains(port)
    else {
      let kinds = ManagedIdentityHost.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError(
        "--managed-identity must be one of \(kinds), with :PORT or without, not “\(word)”")
    }
    return MachineOptions(kind: kind, port: port)
  }
}
