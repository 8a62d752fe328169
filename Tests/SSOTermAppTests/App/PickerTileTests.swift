import Testing

@testable import SSODevice
@testable import SSOLab
@testable import SSOTermApp

/// The picker's accounts, two lines each.
struct PickerTileTests {
  private func picker(_ count: Int) -> AccountPicker {
    var picker = Sample.picker(.transition)
    picker.candidates = (0..<count).map {
      PickerCandidate(
        homeAccountID: "oid-\($0).tid", displayName: "Person Number\($0)", username: "p\($0)@contoso.com",
        tenantName: "Contoso", state: $0 == 1 ? .blocked : .ready,
        remark: $0 == 1 ? "not compliant" : "no password",
        isHinted: false)
    }
    return picker
  }

  private func text(_ model: AppModel, _ width: Int, _ height: Int) -> String {
    FrameSample("", model).frame(Size(width: width, height: height)).text()
  }

  @Test(arguments: [1, 2, 30, 100_000])
  func anyNumberOfAccountsIsCountedAndTheLastOneCanBeReached(_ count: Int) {
    var model = Sample.prompt(.chooseAccount(picker(count)))
    for (width, height) in [(80, 24), (120, 40), (200, 60)] {
      let text = text(model, width, height)
      #expect(text.contains("Person Number0") && text.contains("p0@contoso.com"))
      #expect(text.contains("\(counted(count, "account")), \(max(1, count - 1)) ready"), "\(text)")
    }
    _ = update(&model, .event(.key(.character("G"))))
    #expect(text(model, 120, 40).contains("Use another account"))
    _ = update(&model, .event(.key(.character("k"))))
    #expect(text(model, 120, 40).contains("p\(count - 1)@contoso.com"))
  }

  @Test func aTileSaysWhoWhereAndWhy() {
    let lines = text(Sample.prompt(.chooseAccount(picker(2))), 120, 40).split(separator: "\n").map(
      String.init)
    let first = lines.firstIndex { $0.contains(" PN   Person Number0") && $0.contains("● ready") }
    #expect(first != nil && lines[(first ?? 0) + 1].contains("p0@contoso.com · Contoso · no password"))
    let second = lines.firstIndex { $0.contains("Person Number1") && $0.contains("✗ blocked") }
    #expect(second != nil && lines[(second ?? 0) + 1].contains("not compliant"))
  }

  @Test(
    arguments: [
      ("Ada Lovelace", "", "AL"), ("漢字 太郎", "", "漢"), ("", "grace@contoso.com", "GC"), ("émile", "", "É"),
      ("", "", "?"), ("\u{1B}[31m", "", "3"), ("Ada (guest)", "", "AG"),
    ])
  func initials(_ name: String, _ username: String, _ initials: String) {
    let candidate = PickerCandidate(
      homeAccountID: "a.b", displayName: name, username: username, tenantName: "", state: .ready, remark: "",
      isHinted: false)
    #expect(candidate.initials == initials)
  }

  @Test func yCopiesTheWholeID() {
    var model = Sample.prompt(.chooseAccount(picker(2)))
    #expect(
      FrameSample.commands(&model, "jy") == [.copy(Copy(text: "oid-1.tid", label: "home account ID"))])
    #expect(FrameSample.commands(&model, "Gy").isEmpty, "the row for another account has none")
  }
}
