import SSOCore
import SSODevice
import SSOLab
import SSOProvider
import TerminalUI

/// What lies over the screen and takes the keys.
enum Dialog: Equatable, Sendable {
  case prompt(PromptDialog)
  case confirm(Confirmation)
  case help(Help)
  case palette(Palette)
  case menu(Menu)
  case note(NoteField)
  case sights(Sights)
  case why(Why)
  case explained(Explained)
  case choice(Choice)
  case edit(FieldEdit)
  case effects(Effects)
  case fault(FaultForm)
}

extension Dialog {
  /// The list that the keys move in, if it has one whose rows are drawn from its IDs.
  var list: RowList? {
    get {
      switch self {
      case .prompt(let dialog): dialog.list
      case .help(let help): help.list
      case .sights(let sights): sights.list
      case .why(let why): why.list
      case .choice(let choice): choice.list
      case .fault(let form): form.list
      case .confirm, .palette, .menu, .note, .explained, .edit, .effects: nil
      }
    }
    set {
      guard let newValue else { return }
      switch self {
      case .prompt(var dialog):
        dialog.list = newValue
        self = .prompt(dialog)
      case .help(var help):
        help.list = newValue
        self = .help(help)
      case .sights(var sights):
        sights.list = newValue
        self = .sights(sights)
      case .why(var why):
        why.list = newValue
        self = .why(why)
      case .choice(var choice):
        choice.list = newValue
        self = .choice(choice)
      case .fault(var form):
        form.list = newValue
        self = .fault(form)
      case .confirm, .palette, .menu, .note, .explained, .edit, .effects: break
      }
    }
  }
}

/// Who sees what another app's sign-in left: the pairs of apps in the order of the matrix.
struct Sights: Equatable, Sendable {
  var cells: [Visibility]
  var list = RowList()

  init(_ cells: [Visibility], names: [String: String]) {
    self.cells = cells
    list.replace(
      ids: cells.map { $0.signedIn + " " + $0.looking },
      texts: cells.map { cell in
        [cell.signedIn, cell.looking].map { names[$0] ?? $0 }.joined(separator: " ") + " " + cell.words
      })
  }

  var selected: Visibility? { list.selectedRow.map { cells[$0] } }
}

/// A prompt of a flow and what the person has entered so far.
struct PromptDialog: Equatable, Sendable {
  var prompt: Prompt
  /// nil in `ssoterm pick`, where the choice itself is the result.
  var intent: Intent?
  var answers: [Answer] = []
  /// The panel "What is happening".
  var hops: [Hop] = []
  /// Rows of the picker and of consent.
  var list = RowList()
  /// The field of the sign-in page.
  var field = TextField()
  /// Whether a typed password is shown, for ten seconds.
  var isRevealed = false
  /// Whether the picker shows all of the selected account.
  var showsDetails = false
  /// 0 Accept, 1 Cancel on the consent page.
  var button = 0

  init(_ prompt: Prompt, intent: Intent?, answers: [Answer] = [], hops: [Hop] = []) {
    self.prompt = prompt
    self.intent = intent
    self.answers = answers
    self.hops = hops
    switch prompt {
    case .chooseAccount(let picker):
      let rows = picker.candidates.map(\.searchValues) + (picker.signsIn ? [["Use another account"]] : [])
      let ids = picker.candidates.map(\.id) + (picker.signsIn ? [Self.otherAccount] : [])
      list.replace(
        RowIndex(ids: ids.map { RowID($0) }, texts: rows, columns: PickerCandidate.searchColumns))
      if let hinted = picker.candidates.first(where: \.isHinted) { list.select(id: hinted.id) }
    case .signIn(let page):
      if case .username = page.asks { field = TextField(page.username) }
    case .consent(let page):
      list.replace(ids: page.scopes.map(\.scope), texts: page.scopes.map(\.scope))
    case .errorPage: break
    }
  }

  /// The row below the accounts.
  static let otherAccount = "+"
}

/// A removal that waits for a yes, with what it takes from whom.
struct Confirmation: Equatable, Sendable {
  var intent: Intent
  var radius: BlastRadius
  /// With a name where the intent has an ID; nil: the radius's own.
  var title: String?
  /// Cancel is the default, so that Enter alone removes nothing.
  var isConfirming = false
}

struct Help: Equatable, Sendable {
  /// The screen whose keys are listed.
  var context: Context
  /// All of the context's commands that have a key; those that can do nothing now come last.
  var commands: [KeyCommand] = []
  var list = RowList()
}

/// A pop-up of letters; each does one thing.
enum Menu: Equatable, Sendable {
  case copy, export, sort, columns

  var context: Context {
    switch self {
    case .copy: .copyMenu
    case .export: .exportMenu
    case .sort: .sortMenu
    case .columns: .columnMenu
    }
  }
}

/// A note on a step of a trace, while it is written.
struct NoteField: Equatable, Sendable {
  var trace: Int64
  /// Counted from 0.
  var step: Int
  var field: TextField
}
