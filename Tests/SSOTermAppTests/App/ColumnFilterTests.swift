import Testing

@testable import SSODevice
@testable import SSOLab
@testable import SSOTermApp

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
