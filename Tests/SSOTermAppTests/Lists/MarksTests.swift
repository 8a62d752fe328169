import SSOCore
import TerminalUI
import Testing

@testable import SSODevice
@testable import SSOLab
@testable import SSOTermApp

struct MarksTests {
  private func press(_ model: inout AppModel, _ key: Character) -> [Command] {
    update(&model, .event(.key(.character(key))))
  }

  /// Returns the IDs of credentials by their rows, and of other rows by their names.
  private func ids(_ names: [String]) -> Set<RowID> {
    Set(names.map { $0.contains(".") ? RowID($0) : RowID(credential: $0) })
  }

  @Test func markedCredentialsAreDeletedTogetherAndThenForgotten() {
    var model = FrameSample.pressed(Sample.model(.tokens), "  ")
    #expect(model.marked == ids(["t1", "t2"]))
    #expect(press(&model, "d") == [.load(.blastRadius(of: ChangeCredentials(.delete, ["t1", "t2"])))])
    _ = update(
      &model,
      .performed(
        AnyIntent(ChangeCredentials(.delete, ["t1", "t2"])), answers: [],
        .done(Outcome(.succeeded, "Done."), traceID: 1)))
    #expect(model.marked.isEmpty)
  }

  @Test func eachChangeTakesTheMarkedCredentialsItIsFor() {
    var model = FrameSample.pressed(Sample.model(.tokens), "    ")
    #expect(model.marked == ids(["t1", "t2", "t3", "t4"]))
    #expect(press(&model, "e") == [.change(.expire, .credentials(["t1", "t2", "t4"]))])
    #expect(press(&model, "I") == [.change(.invalidate, .credentials(["t3"]))])
  }

  @Test func aHeadingMarksAllThatIsBelowItAndUnmarksItAgain() {
    var model = FrameSample.pressed(Sample.model(.tokens), "g ")
    #expect(model.marked == ids(["t1", "t2", "t3", "t4"]))
    _ = press(&model, " ")
    #expect(model.marked.isEmpty)
  }

  /// Regression: the cursor stayed on a heading, on which the commands of a token do nothing.
  @Test func aFilterOfATreeSelectsItsFirstMatch() {
    var model = FrameSample.pressed(Sample.model(.tokens), "g/rt\r")
    #expect(model.screens.tokens.selected?.shortType.hasSuffix("RT") == true)
    // What the user selects then stays selected.
    _ = press(&model, "g")
    #expect(model.screens.tokens.selected == nil)
    _ = update(&model, .event(.key(.character("R"))))
    #expect(model.screens.tokens.selected == nil)
  }

  @Test func aRangeGrowsAndShrinksWithTheSelectionAndEndsWithV() {
    var model = FrameSample.pressed(Sample.model(.apps), "jvjj")
    #expect(model.marked == ids(["com.contoso.files", "com.contoso.chat", "com.contoso.漢字 太郎"]))
    _ = press(&model, "k")
    #expect(model.marked == ids(["com.contoso.files", "com.contoso.chat"]))
    _ = FrameSample.pressed(model, "vG")
    model = FrameSample.pressed(model, "vG")
    #expect(model.marked == ids(["com.contoso.files", "com.contoso.chat"]))
    #expect(
      press(&model, "e")
        == [
          .change(
            .expire,
            .accessTokens([Sample.scope("files"), Sample.scope("chat")]))
        ])
  }

  @Test func escapeClearsTheFilterThenTheMarksThenGoesBack() {
    var model = FrameSample.pressed(Sample.model(.apps), " ")
    model = FrameSample.pressed(model, "/mail")
    _ = update(&model, .event(.key(.enter)))
    for expected in [(false, 1), (false, 0)] {
      _ = update(&model, .event(.key(.escape)))
      #expect(model.screens.apps.list.isFiltered == expected.0)
      #expect(model.marked.count == expected.1)
    }
  }

  @Test func marksOfRowsThatAreGoneAreForgotten() {
    var model = FrameSample.pressed(Sample.model(.apps), "  ")
    #expect(model.marked == ids(["com.contoso.mail", "com.contoso.files"]))
    _ = update(&model, .loaded(.apps(Array(Sample.apps.dropFirst()))))
    #expect(model.marked == ids(["com.contoso.files"]))
  }

  @Test func oneAccountAtATimeIsForgotten() {
    var model = FrameSample.pressed(Sample.model(.accounts), "  ")
    #expect(press(&model, "f").isEmpty)
    #expect(model.notice?.text == "f: one account at a time; Esc unmarks.")
    #expect(press(&model, "E").count == 1)
  }

  @Test func nextMatchGoesRoundTheRowsThatTheLastFilterFinds() {
    var model = FrameSample.pressed(Sample.model(.apps), "/ki")
    _ = update(&model, .event(.key(.enter)))
    _ = update(&model, .event(.key(.escape)))
    model = FrameSample.pressed(model, "gn")
    #expect(model.screens.apps.selected(model.shared)?.displayName == "Kiosk")
    model = FrameSample.pressed(model, "nN")
    #expect(model.screens.apps.selected(model.shared)?.displayName == "Kiosk")
  }
}

struct ColumnFilterTests {
  @Test(
    arguments: [
      (.apps, "state:expired", "1 of 5"), (.apps, "client:4b0", "5 of 5"), (.apps, "app:files", "1 of 5"),
      (.apps, "user:ada !app:mail", "2 of 5"), (.apps, "~app:ksk", "1 of 5"), (.apps, "state:4b0", "0 of 5"),
      (.tokens, "type:rt", "1 of 4"), (.tokens, "state:expired", "1 of 4"), (.tokens, "scope:mail", "2 of 4"),
      (.accounts, "user:grace", "1 of 2"), (.accounts, "app:files", "2 of 2"),
      (.traces, "state:failed", "1 of 2"), (.traces, "id:7f1c", "1 of 2"),
    ] as [(Place, String, String)])
  func aFilterNamesAColumnAndTheCountIsShown(_ place: Place, _ query: String, _ count: String) {
    let model = FrameSample.pressed(Sample.model(place), "/" + query)
    #expect(model.screen.countText(inPanel: 0) == count)
    #expect(FrameSample("", model).frame(Size(width: 80, height: 24)).text().contains(count))
  }

  @Test func thePickerFiltersByColumnToo() {
    let model = FrameSample.pressed(Sample.prompt(.chooseAccount(Sample.picker(.overlay))), "/state:ready")
    guard let dialog = model.topDialog(PromptDialog.self) else { return }
    #expect(dialog.list.countText == "1 of 6")
  }
}
