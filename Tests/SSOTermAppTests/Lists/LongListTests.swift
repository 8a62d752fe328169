import TerminalUI
import Testing

@testable import SSOLab
@testable import SSOTermApp

/// Lists of which only the visible part is read.
struct LongListTests {
  private func index(_ count: Int, total: Int? = nil) -> RowIndex {
    var index = RowIndex(columns: ["user"])
    for number in 1...count { index.append(RowID(Int64(number)), ["user\(number)"]) }
    index.total = total
    return index
  }

  private func accounts(_ ids: [RowID]) -> [RowID: AccountRow] {
    var rows: [RowID: AccountRow] = [:]
    for id in ids {
      rows[id] = Sample.accounts[0]
      rows[id]?.username = "read\(id.value)"
    }
    return rows
  }

  private func model() -> AppModel {
    var model = Sample.model(.accounts)
    _ = update(&model, .loaded(.accountList(index(1000), [:])))
    return model
  }

  private func text(_ model: AppModel) -> String {
    var grid = Grid(width: 80, height: 24)
    view(model, into: &grid)
    return grid.text()
  }

  @Test func theRowsInSightAreAskedForOnceAndThePersonSeesNamesMeanwhile() throws {
    var model = Sample.model(.accounts)
    let commands = update(&model, .loaded(.accountList(index(1000), [:])))
    let height = model.shared.layout.listHeight(of: model)
    let wanted = (1...Int64(2 * height)).map { RowID($0) }
    #expect(commands == [.load(.accountDetails), .load(.accountRows(wanted))])
    #expect(text(model).contains("user7"))
    #expect(update(&model, .event(.key(.down))).isEmpty)
    #expect(update(&model, .loaded(.accountRows(accounts(wanted)))).isEmpty)
    #expect(text(model).contains("read7"))
    #expect(!text(model).contains("user7"))
  }

  @Test func theNextPageIsReadBeforeItIsReached() {
    var model = model()
    let height = model.shared.layout.listHeight(of: model)
    _ = update(&model, .loaded(.accountRows(accounts((1...Int64(2 * height)).map { RowID($0) }))))
    var asked: [Int] = []
    for step in 1..<(2 * height) where !update(&model, .event(.key(.down))).isEmpty { asked.append(step) }
    #expect(asked.count == 1)
    #expect(asked.first.map { $0 < 2 * height - 1 } == true)
  }

  @Test func theEndOfTheListIsReadAtOnce() {
    var model = model()
    let commands = update(&model, .event(.key(.character("G"))))
    guard case .load(.accountRows(let ids)) = commands.last else {
      Issue.record("nothing was asked for")
      return
    }
    #expect(ids.last == RowID(1000))
  }

  @Test func afterACommitElsewhereTheSelectionStaysAndTheRowsAreReadAgain() {
    var model = model()
    _ = update(&model, .loaded(.accountRows(accounts((1...60).map { RowID($0) }))))
    for _ in 0..<5 { _ = update(&model, .event(.key(.down))) }
    #expect(model.screens.accounts.selected?.username == "read6")
    var shorter = RowIndex(columns: ["user"])
    for number in 3...1000 { shorter.append(RowID(Int64(number)), ["user\(number)"]) }
    let commands = update(&model, .loaded(.accountList(shorter, [:])))
    #expect(model.screens.accounts.selected?.username == "read6")
    #expect(commands.count == 2)
  }

  @Test func theFirstPageSaysHowManyThereAreAndTheRestIsAskedFor() {
    var model = Sample.model(.accounts)
    let commands = update(
      &model, .loaded(.accountList(index(100, total: 5000), accounts((1...100).map { RowID($0) }))))
    #expect(commands == [.load(.accounts)])
    #expect(text(model).contains("Accounts 5000"))
  }

  @Test func whatIsSealedIsFoundOnceItHasBeenReadAndStaysFoundMeanwhile() {
    func index(_ names: [String]) -> RowIndex {
      var index = RowIndex(columns: ["user", "name"])
      for (number, name) in names.enumerated() {
        index.append(RowID(Int64(number)), ["user\(number)", name])
      }
      return index
    }
    var model = Sample.model(.accounts)
    _ = update(&model, .loaded(.accountList(index(["", ""]), [:])))
    for key in "/name:grace" { _ = update(&model, .event(.key(.character(key)))) }
    #expect(model.screens.accounts.list.matches.isEmpty)
    _ = update(&model, .loaded(.accountDetails(index(["Ada", "Grace"]))))
    #expect(Array(model.screens.accounts.list.matches) == [1])
    _ = update(&model, .loaded(.accountList(index(["", ""]), [:])))
    #expect(Array(model.screens.accounts.list.matches) == [1])
    _ = update(&model, .loaded(.accountList(index(["", "", ""]), [:])))
    _ = update(&model, .loaded(.accountDetails(index(["Ada", "Grace"]))))
    #expect(model.screens.accounts.list.matches.isEmpty)
  }

  @Test func aFilterNarrowsToItsColumn() {
    var model = model()
    for key in "/user:user99" { _ = update(&model, .event(.key(.character(key)))) }
    #expect(model.screens.accounts.list.countText == "11 of 1000")
    #expect(
      model.screens.accounts.list.matches.map { model.screens.accounts.list.index.ids[$0].value } == [99]
        + (990...999))
  }

  @Test func aBranchOpensAsAListUnderItsHeadings() {
    var model = Sample.model(.tokens)
    let branch = TokenBranch(
      clientID: Sample.client, clientName: "Suite", redirectURI: "msauth.mail://auth", app: "Mail",
      count: 3000)
    _ = update(&model, .loaded(.tokenBranches([branch])))
    #expect(text(model).contains("3000"))
    _ = update(&model, .event(.key(.down)))
    let scope = TokenScope(clientID: Sample.client, redirectURI: "msauth.mail://auth", title: "Mail")
    #expect(update(&model, .event(.key(.enter))) == [.load(.tokens(scope))])
    let headings = TokenLine.lines(of: [branch])
    var list = RowIndex(columns: ["user"])
    for heading in headings { list.append(RowID(heading.id), [heading.text]) }
    for number in 1...50 { list.append(RowID(Int64(number)), ["user\(number)"]) }
    let commands = update(&model, .loaded(.tokenList(scope, headings, list)))
    guard case .load(.tokenRows(let ids)) = commands.first else {
      Issue.record("no credential was asked for")
      return
    }
    let rows = [RowID: TokenRow](
      uniqueKeysWithValues: ids.filter { $0.value > 0 }.map { ($0, Sample.tokens[0]) })
    #expect(update(&model, .loaded(.tokenRows(rows))) == [.load(.detail("t1", revealed: false))])
    #expect(model.screens.tokens.selected?.id == "t1")
    #expect(text(model).contains("3 Tokens > Mail"))
    #expect(update(&model, .event(.key(.escape))) == [.load(.tokens(.everything))])
    _ = update(&model, .loaded(.tokenBranches([branch])))
    #expect(model.screens.tokens.list.state.selection == 1)
  }

  @Test func aBranchIsNotMarkedButOpened() {
    var model = Sample.model(.tokens)
    let branch = TokenBranch(
      clientID: Sample.client, redirectURI: "msauth.mail://auth", app: "Mail", count: 3000)
    _ = update(&model, .loaded(.tokenBranches([branch])))
    model = FrameSample.pressed(model, "j ")
    #expect(model.marked.isEmpty)
    #expect(model.notice?.text == "Space: open the branch first.")
  }

  @Test func theFilterOffersTheColumnsOfTheLongList() {
    let model = FrameSample.pressed(model(), "/")
    #expect(text(model).contains("~fuzzy  user:"))
    #expect(!text(model).contains("state:"))
  }

  @Test func markedAccountsThatWereNeverSeenExpire() {
    var index = RowIndex(columns: ["user", "id"])
    for number in 1...1000 { index.append(RowID(Int64(number)), ["user\(number)", "uid\(number).utid"]) }
    var model = Sample.model(.accounts)
    _ = update(&model, .loaded(.accountList(index, [:])))
    model = FrameSample.pressed(model, "vG")
    #expect(model.marked.count == 1000)
    model = FrameSample.pressed(model, "vg ")
    let scopes = (2...1000).map { TokenScope(account: "uid\($0).utid") }
    #expect(
      update(&model, .event(.key(.character("E")))) == [.change(.expire, .accessTokens(scopes))])
  }

  private func items(_ count: Int) -> AppModel {
    var index = RowIndex(columns: ["user", "service", "id"])
    for number in 1...count {
      index.append(RowID(Int64(number)), ["user\(9999 - number)", "refreshtoken", "a"])
    }
    var model = Sample.model(.keychain)
    _ = update(&model, .loaded(.itemList(group: Sample.group, index)))
    model.panel = 1
    return model
  }

  @Test(arguments: [
    ("e", Command.change(.expire, .rows([RowID(1), RowID(2)], kinds: []))),
    (
      "I",
      .change(
        .invalidate,
        .rows([RowID(1), RowID(2)], kinds: [.refreshToken, .familyRefreshToken, .primaryRefreshToken]))
    ),
    ("d", .load(.blastRadiusOfRows([RowID(1), RowID(2)]))),
  ])
  func whatMarkedItemsAreIsLookedUpWhenTheyAreChanged(_ key: String, _ command: Command) {
    var model = FrameSample.pressed(items(600), "  ")
    #expect(model.marked == [RowID(1), RowID(2)])
    #expect(update(&model, .event(.key(.character(Character(key))))).first == command)
  }

  @Test func aLongListOfItemsSortsByAccountAndSaysWhyNotByState() {
    var model = FrameSample.pressed(items(600), "O2")
    #expect(model.screens.keychain.items.matches.first == 599)
    #expect(text(model).contains("sort ACCOUNT ^"))
    model = FrameSample.pressed(model, "O2")
    #expect(model.screens.keychain.items.matches.first == 0)
    model = FrameSample.pressed(model, "O3")
    #expect(model.notice?.text == "A list of this length can be sorted by ACCOUNT only.")
    #expect(text(model).contains("sort ACCOUNT v"))
  }
}
