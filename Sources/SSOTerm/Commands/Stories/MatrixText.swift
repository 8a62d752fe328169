/// Returns the matrix of docs/behaviour/adal.md §4 for the apps of the device.
///
/// It has a row for each app with a sign-in and a column for each app that uses it. The apps that the device does not
/// run precede it. Below it, each pair is listed with its result, or with the reason that there is nothing to use.
func matrixText(_ cells: [Visibility], _ apps: [InstalledApp], _ ink: Ink) -> String {
  var table = TextTable(["SIGNED IN WITH \\ USED BY"] + apps.map(\.displayName))
  for writer in apps {
    let row = apps.map { reader -> InkedText in
      let cell = cells.first { $0.signedIn == writer.bundleID && $0.looking == reader.bundleID }
      guard let cell else { return InkedText("-", .faint) }
      return InkedText(cell.extent.rawValue, cell.extent == .nothing ? .warning : .plain)
    }
    table.append(
      [InkedText("\(writer.displayName) (\(writer.sdk.rawValue) \(writer.sdkVersion))", .strong)] + row)
  }
  let names = Dictionary(apps.map { ($0.bundleID, $0.displayName) }, uniquingKeysWith: { first, _ in first })
  let reasons = cells.map { cell in
    let pair = "\(names[cell.signedIn] ?? cell.signedIn) -> \(names[cell.looking] ?? cell.looking): "
    guard let failed = cell.checks.first(where: { $0.verdict == .failed }) else { return pair + cell.words }
    return pair
      + "nothing: \(failed.name): expected \(failed.expected), found \(failed.found) (\(failed.source))"
  }
  let notes = (platformLines(cells) + [Visibility.assumption]).map { ink.draw($0, .faint) }
  return (notes + ["", table.text(ink), ""] + reasons.map { ink.draw($0) }).joined(separator: "\n")
}

/// Returns a line for each app that the device does not run, with the command that changes the device.
private func platformLines(_ cells: [Visibility]) -> [String] {
  let checks = cells.flatMap(\.checks).filter { $0.remedy?.kind == .device }
  return checks.reduce(into: []) { lines, check in
    let command = (["ssoterm"] + (check.remedy?.commandWords ?? [])).map(shellWord).joined(separator: " ")
    let line = "\(check.reason). To change the device: \(command)"
    if !lines.contains(line) { lines.append(line) }
  }
}

extension Visibility {
  var json: JSONValue {
    [
      "signedIn": .string(signedIn), "looking": .string(looking), "sees": .string(extent.rawValue),
      "words": .string(words), "checks": .array(checks.map(\.json)),
    ]
  }
}
