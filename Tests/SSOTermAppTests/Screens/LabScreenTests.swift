import SSOCore
import SSOReference
import TerminalUI
import Testing

@testable import SSOLab
@testable import SSOProvider
@testable import SSOTermApp

/// Changing the lab's records from the screens.
struct LabScreenTests {
  private func press(_ model: inout AppModel, _ key: KeyPress) -> [Command] {
    update(&model, .event(.key(key)))
  }

  private func edit(_ kind: RecordKind, _ name: String, _ change: String) throws -> Command {
    .perform(EditRecord(kind, record: name, [try FieldChange(change)]))
  }

  @Test func enterOnAFieldChangesIt() throws {
    var model = Sample.lab
    #expect(FrameSample.commands(&model, "jjj\rj\r").isEmpty)
    _ = press(&model, .control("u"))
    #expect(try FrameSample.commands(&model, "TEAM2\r") == [edit(.app, "com.contoso.mail", "teamID=TEAM2")])
    #expect(model.dialogs.isEmpty)
  }

  /// The key bar shows the effect of Enter on the selected row.
  @Test(
    arguments: [
      ("", "Enter open"), ("k", "Enter open"), ("\r", "no Enter"), ("\rj", "Enter change"),
      ("\rG", "Enter run"),
    ])
  func theKeyBarSaysWhatEnterDoes(_ keys: String, _ expected: String) throws {
    var lab = try LabByKeys("contoso-suite")
    lab.press("6" + keys)
    let bar = try #require(lab.text.split(separator: "\n").last)
    #expect(expected == "no Enter" ? !bar.contains("Enter") : bar.contains(expected), "\(bar)")
  }

  @Test func aClosedSetIsChosenFrom() throws {
    var model = Sample.lab
    #expect(
      try FrameSample.commands(&model, "jjj\rjjjjj\rno\r") == [
        edit(.app, "com.contoso.mail", "brokerUse=none")
      ])
  }

  @Test func aSecretIsNeitherShownNorPutIntoTheField() throws {
    var model = Sample.lab
    _ = FrameSample.commands(&model, "jjjjj\rjj\r")
    guard let field = model.topDialog(FieldEdit.self) else { return #expect(Bool(false)) }
    #expect(field.isSecret && field.input.text.isEmpty)
    #expect(try FrameSample.commands(&model, "bug\r") == [edit(.person, "ada@contoso.com", "password=bug")])
  }

  @Test func whatNamesARecordStays() {
    var model = Sample.lab
    #expect(FrameSample.commands(&model, "jjj\r\r").isEmpty)
    #expect(model.dialogs.isEmpty)
  }

  @Test func anUnchangedFieldChangesNothing() {
    var model = Sample.lab
    #expect(FrameSample.commands(&model, "jjj\rj\r\r").isEmpty)
    #expect(model.notice?.text == "teamID was not changed.")
  }

  @Test func whatItBreaksIsSaidAtOnceAndUndoneWithZ() {
    var model = Sample.lab
    let outcome = Outcome(
      .succeeded, "Mail: teamID=TEAM2.", effects: ["Files: shares its group with no app (before: Mail)"])
    _ = update(&model, .performed(Sample.teamChange, answers: [], .done(outcome, traceID: 9)))
    #expect(
      FrameSample("", model).frame(Size(width: 80, height: 24)).text().contains("→ Files: shares its group"))
    #expect(FrameSample.commands(&model, "z") == [.undo])
    #expect(model.dialogs.isEmpty)
  }

  @Test func aChangeWithoutEffectsNeedsNoAnswer() {
    var model = Sample.lab
    var outcome = Outcome(.succeeded, "Mail: vendor=x. Nothing else changes.", effects: [])
    outcome.canUndo = true
    _ = update(&model, .performed(Sample.teamChange, answers: [], .done(outcome, traceID: 9)))
    #expect(model.dialogs.isEmpty && model.notice?.canUndo == true)
  }

  @Test(
    arguments: [
      (.apps, "app/com.contoso.mail"), (.accounts, "person/ada@contoso.com"),
    ] as [(Place, String)])
  func theRecordOfWhatIsSelectedIsOpened(_ place: Place, _ id: String) {
    var model = Sample.model(place)
    #expect(FrameSample.commands(&model, "C") == [.load(.records)])
    _ = update(&model, .loaded(.records(Sample.records)))
    #expect(model.screens.lab.selected?.id == id)
    #expect(model.panel == 1 && !model.screens.lab.fieldRows.isEmpty)
    _ = press(&model, .escape)
    _ = press(&model, .escape)
    #expect(model.place == place)
  }

  @Test func theBrokerComesAndPoliciesAreSet() {
    var model = Sample.lab
    _ = FrameSample.commands(&model, "\r")
    _ = FrameSample.commands(&model, "jj")
    #expect(FrameSample.commands(&model, "\r") == [.perform(InstallBroker(version: nil, managed: nil))])
    model = Sample.lab
    // The kinds without records come last, and group comes before policy.
    _ = FrameSample.commands(&model, "G\rj\r")
    #expect(
      FrameSample.commands(&model, "compliant\r")
        == [.perform(SetPolicy(Policy(name: "compliantDevice", requires: .compliantDevice)))])
  }

  @Test func thePaletteSetsAField() throws {
    var model = Sample.model(.apps)
    let line = ":app set My Test App 2 keychainAccessGroups+=a b\r"
    #expect(
      try FrameSample.commands(&model, line).last == edit(.app, "My Test App 2", "keychainAccessGroups+=a b"))
    #expect(model.history == [String(line.dropFirst().dropLast())])
    _ = FrameSample.commands(&model, ":person set ada password=bug\r")
    #expect(model.history.count == 1, "a password is not remembered")
  }

  @Test func readOnlyStoresKeepTheirFields() {
    var model = Sample.lab
    model.lab.isReadOnly = true
    #expect(FrameSample.commands(&model, "jjj\rj\r").isEmpty)
    #expect(model.dialogs.isEmpty)
  }

  @Test(arguments: RecordKind.allCases)
  func eachSectionBeginsWithAFieldOfTheRecord(_ kind: RecordKind) {
    let names = Set(kind.fields.map(\.name))
    #expect(FieldForm.headings(kind).keys.filter { !names.contains($0) } == [])
  }

  @Test func aLargeWindowShowsAllFieldsOfAnAppInFullAndSideBySide() throws {
    let robot = try RobotUser("contoso-suite", size: Size(width: 200, height: 60))
    robot.screen(.records).select("com.contoso.mytestapp1").press("\r")
      .sees("teamID A1B2C3D4E5", "$(AppIdentifierPrefix)com.microsoft.adalcache", "[ remove the app ]")
      .sees("Microsoft Authentication Broker 29d9ed98-a469-4536-ade2-f981bc1d605e")
  }

  /// From 140 columns on, the form has two columns, and a value that does not fit beside its name is below it.
  @Test(arguments: [Size(width: 140, height: 42), Size(width: 160, height: 40)])
  func aWideWindowShowsAllFieldsOfAnApp(_ size: Size) throws {
    let robot = try RobotUser("contoso-suite", size: size)
    robot.screen(.records).select("com.contoso.mytestapp1").press("\r")
      .sees("teamID", "https://login.microsoftonline.com/common", "msauth.com.contoso.mytestapp1://auth")
      .sees("$(AppIdentifierPrefix)com.microsoft.adalcache", "tokenExpirationBuffer", "[ remove the app ]")
      .doesNotSee("↓")
  }

  /// The last row of the list continues on the lines below it.
  @Test func theKindsWithoutRecordsAreAllNamed() throws {
    let robot = try RobotUser("contoso-suite", size: Size(width: 120, height: 40))
    robot.screen(.records).sees("Nothing yet: groups, policies, app roles,", "identities")
  }

  @Test func theSelectedFieldIsInViewInEitherColumn() throws {
    let robot = try RobotUser("contoso-suite", size: Size(width: 140, height: 40))
    robot.screen(.records).select("com.contoso.mytestapp1").press("\r").press("G")
      .sees("> [ remove the app ]")
  }

  /// The fields get the columns that an app needs, whatever the redirect URIs of a registration would need.
  @Test func theListGetsTheColumnsThatNoAppNeeds() throws {
    let robot = try RobotUser("contoso-suite", size: Size(width: 140, height: 40))
    robot.screen(.records).select("com.contoso.mytestapp1")
      .sees("Contoso Suite b6c69a37-df96-4db0-9088-2ab96e1d8215", "https://login.microsoftonline.com/common")
  }
}
