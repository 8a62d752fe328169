@testable import SSOCore
@testable import SSOLab
@testable import SSOTermApp

extension FrameSample {
  /// The samples of the Lab screen, and of changing a field.
  static let changes = [
    FrameSample("lab", suite: "6jjjl"),
    FrameSample("lab-kind", suite: "6g"),
    FrameSample("lab-filter", suite: "6/contoso app"),
    FrameSample("field", suite: "C\rB"), FrameSample("effects-real", suite: "jC\rX\r"),
    FrameSample("field-secret", typed(opened(Sample.lab, "jjjjjljj"), "hunter2")),
    FrameSample("field-choice", opened(Sample.lab, "jjjljjjjj")),
    FrameSample("effects", effects()),
  ]

  /// Returns the model after these keys and Enter.
  private static func opened(_ model: AppModel, _ keys: String) -> AppModel {
    var model = model
    _ = commands(&model, keys + "\r")
    return model
  }

  private static func typed(_ model: AppModel, _ text: String) -> AppModel { pressed(model, text) }

  private static func effects() -> AppModel {
    var model = Sample.lab
    let outcome = Outcome(
      .succeeded, "Mail: teamID=TEAM2.",
      effects: [
        """
        Mail: next silent call would prompt: no account is signed in (before: would use cache, no network); \
        shares its group with no app (before: Files)
        """,
        "Files: shares its group with no app (before: Mail)",
      ])
    _ = update(&model, .performed(Sample.teamChange, answers: [], .done(outcome, traceID: 9)))
    return model
  }
}

extension Sample {
  static let lab: AppModel = {
    var model = Sample.model(.records)
    _ = update(&model, .loaded(.records(records)))
    return model
  }()

  static let teamChange = AnyIntent(
    EditRecord(
      .app, record: "com.contoso.mail", Setting("x teamID=TEAM2").map { [$0.change] } ?? []))

  static let records = [
    record(
      .device, "device-1", "Ada's iPhone",
      [field("id", "device-1", fixed: true), field("brokerVersion", nil)]),
    record(.app, "com.contoso.files", "Files", [field("bundleID", "com.contoso.files", fixed: true)]),
    record(
      .app, "com.contoso.mail", "Mail",
      [
        field("bundleID", "com.contoso.mail", fixed: true), field("teamID", "TEAM1"),
        field("vendor", "Contoso"),
        field("clientID", client), field("redirectURI", "msauth.com.contoso.mail://auth"),
        field("brokerUse", "auto", choices: ["auto", "none"]),
        field("queriesSchemes", "msauthv2, msauthv3", parts: true),
      ]),
    record(
      .person, "ada@contoso.com", "Ada Lovelace",
      [
        field("username", "ada@contoso.com", fixed: true), field("displayName", "Ada Lovelace"),
        field("password", masked("analytical-engine"), secret: true),
        field("requiresMFA", "no", choices: ["yes", "no"]),
      ]),
    record(.tenant, "a3be859b-0000-4000-8000-0000000c0de1", "Contoso", []),
  ]

  private static func record(
    _ kind: RecordKind, _ name: String, _ title: String, _ fields: [RecordRow.Field]
  ) -> RecordRow {
    RecordRow(kind: kind, name: name, title: title, fields: fields)
  }

  private static func field(
    _ name: String, _ value: String?, fixed: Bool = false, choices: [String]? = nil, secret: Bool = false,
    parts: Bool = false
  ) -> RecordRow.Field {
    RecordRow.Field(
      name: name, value: value, canChange: !fixed, choices: choices, isSecret: secret,
      isOptional: value == nil,
      hasParts: parts)
  }
}
