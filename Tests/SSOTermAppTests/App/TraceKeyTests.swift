import Testing

@testable import SSOLab
@testable import SSOTermApp

struct TraceKeyTests {
  @Test func marksAreJumpedToRoundAndRound() {
    var model = FrameSample.pressed(Sample.model(.trace(2)), "]m]]m[")
    #expect(model.screens.trace.marks[2] == [1, 3])
    for expected in [3, 1, 3] {
      model = FrameSample.pressed(model, "'")
      #expect(model.screens.trace.list.selectedRow == expected)
    }
    #expect(FrameSample.pressed(model, "m").screens.trace.marks[2] == [1])
  }

  /// The list is the only pane of the screen, so Tab has no effect.
  @Test func tabLeavesTheKeysToTheListOfTraces() {
    var model = Sample.model(.traces)
    _ = update(&model, .event(.key(.tab)))
    #expect(FrameSample.pressed(model, "j").screens.traces.list.state.selection == 1)
  }

  @Test func aFilterThatNoStepPassesSaysSo() {
    let model = FrameSample.pressed(Sample.model(.trace(2)), "/nosuchstep")
    let text = FrameSample("", model).frame(Size(width: 80, height: 24)).text()
    #expect(text.contains("No step matches the filter.") && text.contains("\n Step ─"))
  }

  @Test func aNoteIsWrittenOnTheSelectedStep() {
    var model = FrameSample.pressed(Sample.model(.trace(2)), "];q is typed")
    #expect(
      FrameSample.commands(&model, "\r") == [.note(trace: 2, step: 1, text: "q is typed")])
    #expect(model.dialogs.isEmpty)
  }

  @Test func escapeLeavesTheNoteAsItWas() {
    var model = FrameSample.pressed(Sample.model(.trace(2)), ";x")
    #expect(update(&model, .event(.key(.escape))).isEmpty)
    #expect(model.dialogs.isEmpty)
  }

  @Test(arguments: [
    ("t", ExportForm.text), ("m", .mermaid), ("J", .json), ("s", .svg), ("h", .har), ("c", .cast),
  ])
  func exportAsksForTheForm(_ letter: String, _ form: ExportForm) {
    var list = Sample.model(.traces)
    #expect(FrameSample.commands(&list, "x" + letter) == [.export(trace: 2, form)])
    var open = Sample.model(.trace(2))
    #expect(FrameSample.commands(&open, "x" + letter) == [.export(trace: 2, form)])
    #expect(open.dialogs.isEmpty)
  }

  @Test func aTraceIsAMermaidDiagramWithItsFailedChecksAndNotes() {
    var trace = Sample.trace
    trace.hops = Array(trace.hops.prefix(3))
    trace.notes = [0: "Look: a <tap>; 100%"]
    #expect(
      mermaid(trace) == """
        sequenceDiagram
          title Mail: sign in
          participant person as Person
          participant app as App
          participant sdk as MSAL
          participant broker as Broker
          participant keychain as Keychain
          person->>app: tap Sign in
          Note over person: Look: a #60;tap#62;#59; 100#37;
          sdk->>keychain: read account = no item
          sdk->>broker: openURL msauthv3://broker
          Note over broker: ✗ Same client ID: expected 4b0db8c2-9f26-4417-8bde-3f0e3656f8e0, \
        found 9c1e77aa-1111-4222-8333-444455556666
        """)
  }

  @Test func theLastCallIsMadeAgainOnAnyScreen() {
    var model = Sample.model(.apps)
    #expect(FrameSample.commands(&model, ".").isEmpty)
    let first = FrameSample.commands(&model, "s")
    model = FrameSample.pressed(model, "4")
    #expect(FrameSample.commands(&model, ".") == first)
  }

  @Test func sortingTurnsRoundAndSurvivesAReload() {
    var model = FrameSample.pressed(Sample.model(.apps), "O1")
    #expect(model.lab.apps.map(\.displayName) == ["Chat", "Files", "Kiosk", "Mail", "漢字 太郎"])
    model = FrameSample.pressed(model, "O1")
    _ = update(&model, .loaded(.apps(Sample.apps)))
    #expect(model.lab.apps.map(\.displayName) == ["漢字 太郎", "Mail", "Kiosk", "Files", "Chat"])
    #expect(FrameSample.commands(&model, "O0") == [.load(.status), .load(.apps), .load(.traces)])
  }

  @Test func aColumnIsHiddenAndShownAgain() {
    var model = FrameSample.pressed(Sample.model(.traces), ",4q")
    #expect(!FrameSample("", model).frame(Size(width: 120, height: 40)).text().contains("OUTCOME"))
    model = FrameSample.pressed(model, ",4q")
    #expect(FrameSample("", model).frame(Size(width: 120, height: 40)).text().contains("OUTCOME"))
    #expect(
      FrameSample.pressed(model, ",1").notice?.text == "The column AT cannot be hidden: it names the rows.")
  }

  /// A log that is pasted in pieces is read as one.
  ///
  /// Without a paste, Enter says so.
  @Test func aPastedLogIsReadOnEnter() {
    var model = Sample.model(.traces)
    _ = FrameSample.commands(&model, "p")
    #expect(model.topDialog(PasteField.self) != nil)
    #expect(FrameSample.commands(&model, "\r").isEmpty)
    _ = update(&model, .event(.paste("TID=1 MSAL 1.0.0 iOS 17.0 ")))
    _ = update(&model, .event(.paste("[2024-05-06 09:41:07 - x] Beginning silent flow.\r")))
    #expect(
      FrameSample.commands(&model, "\r") == [
        .readLog("TID=1 MSAL 1.0.0 iOS 17.0 [2024-05-06 09:41:07 - x] Beginning silent flow.\n")
      ])
    #expect(model.topDialog(PasteField.self) == nil)
  }
}
