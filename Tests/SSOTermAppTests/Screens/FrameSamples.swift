import TerminalUI
import Testing

@testable import SSODevice
@testable import SSOLab
@testable import SSOProvider
@testable import SSOTermApp

/// Every screen by name, in the four sizes of the design.
struct FrameSample: Sendable, CustomTestStringConvertible {
  var name: String
  var model: AppModel
  var testDescription: String { name }

  static let sizes = [(80, 24), (120, 40), (60, 20), (40, 12)].map { Size(width: $0.0, height: $0.1) }

  static let all: [FrameSample] =
    [
      FrameSample("apps", Sample.model(.apps)), FrameSample("accounts", Sample.model(.accounts)),
      FrameSample("tokens", Sample.model(.tokens)), FrameSample("traces", Sample.model(.traces)),
      FrameSample("trace", pressed(Sample.model(.trace(2)), "]]")),
      FrameSample("keychain", Sample.model(.keychain)),
      FrameSample("choose-account", Sample.prompt(.chooseAccount(Sample.picker(.transition)))),
      FrameSample("choose-account-overlay", Sample.prompt(.chooseAccount(Sample.picker(.overlay)))),
      FrameSample("sign-in-username", Sample.prompt(.signIn(Sample.signIn(.username)))),
      FrameSample(
        "sign-in-password",
        pressed(
          Sample.prompt(.signIn(Sample.signIn(.password, failure: "AADSTS50126: wrong password."))), "hunter2"
        )),
      FrameSample("sign-in-number", Sample.prompt(.signIn(Sample.signIn(.verification("42"))))),
      FrameSample("consent", Sample.prompt(.consent(Sample.consent))),
      FrameSample("error-page", Sample.prompt(.errorPage(Sample.errorPage))),
      FrameSample("confirm", confirming()), FrameSample("help", pressed(Sample.model(.apps), "?")),
      FrameSample("help-filtered", pressed(Sample.model(.tokens), "?exp")),
      FrameSample("palette", pressed(Sample.model(.apps), ":sign")),
      FrameSample("filter", pressed(Sample.model(.apps), "/contoso !chat")),
      FrameSample("sights", sights()), FrameSample("sights-empty", sights([])),
      FrameSample("story", Sample.story()),
      FrameSample("apps-empty", AppModel(title: "demo")),
      FrameSample("apps-marked", pressed(Sample.model(.apps), "O5  ")),
      FrameSample("tokens-marked", pressed(Sample.model(.tokens), "jj v")),
      FrameSample("trace-note", pressed(Sample.model(.trace(2)), "m]m;Here the app hands over.")),
      FrameSample("palette-argument", pressed(Sample.model(.apps), ":silent ")),
      FrameSample("copy-menu", pressed(Sample.model(.tokens), "y")),
      FrameSample("sort-menu", pressed(Sample.model(.apps), "O4O")),
      FrameSample("column-menu", pressed(Sample.model(.traces), ",2")),
      FrameSample("export-menu", pressed(Sample.model(.traces), "x")),
      FrameSample("zoom", pressed(Sample.model(.tokens), "l+")),
      FrameSample("presenter", pressed(Sample.model(.apps), "Pj")),
      FrameSample("readonly", readOnly()),
      FrameSample(
        "picker-details", pressed(Sample.prompt(.chooseAccount(Sample.picker(.transition))), "i")),
    ] + decisions + changes + provider

  init(_ name: String, _ model: AppModel) {
    self.name = name
    self.model = model
  }

  static func pressed(_ model: AppModel, _ keys: String) -> AppModel {
    var model = model
    for key in keys { _ = update(&model, .event(.key(.character(key)))) }
    return model
  }

  /// What the keys ask for, all together; a carriage return is Enter.
  static func commands(_ model: inout AppModel, _ keys: String) -> [Command] {
    keys.flatMap { update(&model, .event(.key($0 == "\r" ? .enter : .character($0)))) }
  }

  private static func readOnly() -> AppModel {
    var model = Sample.model(.keychain)
    model.lab.isReadOnly = true
    return pressed(model, "le")
  }

  private static func confirming() -> AppModel {
    var model = Sample.model(.apps)
    let intent = Intent.signOut(app: "com.contoso.mail", account: "ada@contoso.com")
    _ = update(&model, .loaded(.blastRadius(intent, Sample.radius)))
    return model
  }

  private static func sights(_ cells: [Visibility] = Sample.sights) -> AppModel {
    var model = Sample.model(.apps)
    _ = update(&model, .loaded(.visibility(cells)))
    return pressed(model, cells.isEmpty ? "" : "jjjj")
  }

  func frame(_ size: Size) -> Grid {
    var model = model
    _ = update(&model, .event(.resize(width: size.width, height: size.height)))
    var grid = Grid(width: size.width, height: size.height)
    view(model, into: &grid)
    return grid
  }
}
