import ArgumentParser

/// `ssoterm app|person|tenant|registration|device|group|role|identity list|show|set|add|remove`: the lab's records, by
/// field.

struct RecordCommand<R: RecordsWithCommand>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      R.command, R.abstract, examples: R.examples, after: R.after, subcommands: R.subcommands)
  }
}

struct RecordList<R: Records>: LabCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "list", "List them.",
      examples: ["ssoterm \(R.command) list"])
  }

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  func perform(on console: Console) throws -> ExitStatus {
    let rows = try console.openLabToRead(options).read { try $0.records.rows(R.kind) }
    try console.show(.array(rows.map(\.json))) {
      return TextTable(["NAME", "TITLE"], of: rows) { row in
        [InkedText(row.name, .strong), InkedText(row.title)]
      }.text(console.ink)
    }
    return rows.isEmpty ? .nothingMatched : .done
  }
}

struct RecordShow<R: Records>: LabCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "show", "Show all fields.",
      examples: ["ssoterm \(R.command) show \(R.example.name)"])
  }

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Argument(help: "Its name, or an unambiguous part of it.", completion: .records(R.kind))
  var name: String

  func perform(on console: Console) throws -> ExitStatus {
    let row = try console.openLabToRead(options).read {
      try $0.records.row(R.kind, named: name, unmasked: console.unmask)
    }
    return try console.show(row.json) {
      return TextTable([], of: row.fields) { field in
        [
          InkedText(field.name, .strong), InkedText(field.value ?? "-"),
          InkedText(field.canChange ? field.choices?.joined(separator: ", ") ?? "" : "fixed", .faint),
        ]
      }.text(console.ink)
    }
  }
}

struct RecordSet<R: Records>: LabCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "set", "Change fields, and show what changes for the apps.",
      examples: ["ssoterm \(R.command) set \(R.example.name) \(R.example.field)"],
      after:
        "FIELD=VALUE sets a field, an empty value removes it; FIELD+=VALUE and FIELD-=VALUE change a list. "
        + secretHelp)
  }

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Argument(help: "Its name, or an unambiguous part of it.", completion: .records(R.kind))
  var name: String

  @Argument(help: ArgumentHelp("The changes.", valueName: "field=value"))
  var changes: [String] = []

  @OptionGroup var password: PasswordInput

  func perform(on console: Console) throws -> ExitStatus {
    var secrets = SecretInput()
    let parsed = try password.changes(changes, of: R.kind, &secrets)
    guard !parsed.isEmpty else {
      throw CommandFailure(
        usage: "Nothing is to be changed.", why: "set takes FIELD=VALUE",
        next: "ssoterm \(R.kind.rawValue) show \(name)")
    }
    let lab = try console.openLab(options)
    let ended = try runUnattended(EditRecord(R.kind, record: name, parsed), on: lab)
    return try console.show(ended, details: { secrets.made + $0.effectLines })
  }
}

struct RecordAdd<R: Records>: LabCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "add", "Add one with default values and the given fields.",
      examples: ["ssoterm \(R.command) add \(R.example.new)"],
      after: "An app gets team, vendor and client ID of the lab's first app; a person gets the "
        + "tenant of the name's domain and the password “password”. " + secretHelp)
  }

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Argument(help: "Its name: a bundle ID, username, domain or client ID.")
  var name: String

  @Argument(help: ArgumentHelp("Fields that differ from the defaults.", valueName: "field=value"))
  var changes: [String] = []

  @OptionGroup var password: PasswordInput

  func perform(on console: Console) throws -> ExitStatus {
    var secrets = SecretInput()
    let parsed = try password.changes(changes, of: R.kind, &secrets)
    let lab = try console.openLab(options)
    return try console.show(
      try runUnattended(AddRecord(R.kind, record: name, parsed), on: lab),
      details: { secrets.made + $0.effectLines })
  }
}

extension FieldChange {
  /// Replaces `@FILE` in `publicKeys+=@FILE` with the JSON for the key in the PEM file.
  fileprivate func readingKeys(of kind: RecordKind) throws -> FieldChange {
    guard kind == .registration, field == "publicKeys", value.hasPrefix("@") else { return self }
    let (path, data) = try readFile(String(value.dropFirst()))
    guard let key = TokenVerificationKey(keyOrCertificate: String(decoding: data, as: UTF8.self)) else {
      throw CommandFailure(
        usage: "\(path) holds no public key.",
        why: "expected a certificate or an RSA public key of 2048 bits or more, in PEM",
        next: "openssl rsa -in KEY.pem -pubout, or openssl req -x509 -key KEY.pem -subj /CN=app")
    }
    var change = self
    change.value = JSONValue.array([key.json]).text(.wire)
    return change
  }
}

private let secretHelp =
  "A secret (a password, a client secret) is never written there: FIELD=- reads it from stdin, FIELD=@FILE from a file, "
  + "FIELD=new makes one and prints it. publicKeys+=@FILE takes a certificate or public key in PEM."

/// The `--password-stdin` option, as for `signin`.
///
/// It is the same as `password=-`.
struct PasswordInput: ParsableArguments {
  @Flag(name: .customLong("password-stdin"), help: "A person's password is the first line of stdin.")
  var isRead = false

  func changes(_ words: [String], of kind: RecordKind, _ secrets: inout SecretInput) throws -> [FieldChange] {
    if isRead, kind != .person {
      throw CommandFailure(
        usage: "--password-stdin is for people.", why: "no other record has a password",
        next: "ssoterm \(kind.rawValue) set NAME secrets=- < FILE")
    }
    var changes: [FieldChange] = []
    for word in words + (isRead ? ["password=-"] : []) {
      changes.append(try secrets.resolve(try FieldChange(word).readingKeys(of: kind), of: kind))
    }
    return changes
  }
}

struct RecordRemove<R: Records>: IntentCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "remove", R.kind == .app ? "Remove one; its keychain items stay, as on a real device." : "Remove one.",
      examples: ["ssoterm \(R.command) remove \(R.example.name)"])
  }

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Argument(help: "Its name, or an unambiguous part of it.", completion: .records(R.kind))
  var name: String

  func intent(on lab: Lab) -> any Intent { RemoveRecord(R.kind, record: name) }
}

extension RecordRow {
  var json: JSONValue {
    [
      "kind": .string(kind.rawValue), "name": .string(name), "title": .string(title),
      "fields": .array(
        fields.map {
          [
            "name": .string($0.name), "value": .optional($0.value), "canChange": .bool($0.canChange),
            "choices": $0.choices.map { .strings($0) } ?? .null,
          ]
        }),
    ]
  }
}
