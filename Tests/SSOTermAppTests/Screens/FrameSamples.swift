import Testing

@testable import SSODevice
@testable import SSOLab
@testable import SSOProvider
@testable import SSOTermApp

/// A sample of a screen, with its name.
///
/// Every screen is drawn in the sizes of the design.
struct FrameSample: Sendable, CustomTestStringConvertible {
  var name: String
  var model: AppModel
  var testDescription: String { name }

  static let sizes = [(80, 24), (120, 40), (200, 60), (60, 20), (40, 12)].map {
    Size(width: $0.0, height: $0.1)
  }

  /// All samples, drawn from a real lab if a lab can produce the state.
  static let all: [FrameSample] =
    [
      FrameSample("apps", suite: ""), FrameSample("accounts", suite: "2"), FrameSample("tokens", suite: "3"),
      FrameSample("traces", suite: "4"), FrameSample("trace", suite: "4\r]]"),
      FrameSample("keychain", suite: "5"), FrameSample("confirm", suite: "o"),
      FrameSample("help", suite: "?"), FrameSample("help-filtered", suite: "3?exp"),
      FrameSample("palette", suite: ":sign"), FrameSample("palette-argument", suite: ":silent "),
      FrameSample("filter", suite: "/contoso !app:3"), FrameSample("visibility", suite: "mjj"),
      FrameSample("apps-marked", suite: "O5  "), FrameSample("tokens-marked", suite: "3 j "),
      FrameSample("trace-note", suite: "4\rm]m;Here the app asks."), FrameSample("copy-menu", suite: "3y"),
      FrameSample("sort-menu", suite: "O4O"), FrameSample("column-menu", suite: "4,2"),
      FrameSample("export-menu", suite: "4x"), FrameSample("zoom", suite: "3l+"),
      FrameSample("presenter", suite: "Pj"),
      FrameSample("readonly", LabByKeys.suite("5le", isReadOnly: true)),
      FrameSample("system-alert", LabByKeys.suite("i", isSignedIn: false)),
      FrameSample("sign-in-username", LabByKeys.suite("i\r", isSignedIn: false)),
      // A lab cannot produce these states: wide names, a blocked account, an error page, and a demo that is half done.
      FrameSample("apps-wide", Sample.model(.apps)), FrameSample("tokens-expired", Sample.model(.tokens)),
      FrameSample("keychain-outsiders", Sample.model(.keychain)),
      FrameSample("choose-account", Sample.prompt(.chooseAccount(Sample.picker(.transition)))),
      FrameSample("choose-account-overlay", Sample.prompt(.chooseAccount(Sample.picker(.overlay)))),
      FrameSample(
        "sign-in-password",
        pressed(
          Sample.prompt(.signIn(Sample.signIn(.password, failure: "AADSTS50126: wrong password."))), "hunter2"
        )),
      FrameSample("sign-in-number", Sample.prompt(.signIn(Sample.signIn(.verification("42"))))),
      FrameSample("consent", Sample.prompt(.consent(Sample.consent))),
      FrameSample("error-page", Sample.prompt(.errorPage(Sample.errorPage))),
      FrameSample("visibility-empty", noVisibility()), FrameSample("story", Sample.story()),
      FrameSample("scenarios", Sample.scenarios()),
      FrameSample("apps-empty", AppModel(title: "demo")),
      FrameSample("keychain-empty", LabByKeys.suite("5", isSignedIn: false)),
      FrameSample(
        "picker-details", pressed(Sample.prompt(.chooseAccount(Sample.picker(.transition))), "i")),
    ] + decisions + changes + provider + doctor + asides

  /// Creates a sample of the suite in a real lab after these keys.
  ///
  /// A carriage return is Enter.
  init(_ name: String, suite keys: String) { self.init(name, LabByKeys.suite(keys, isWide: true)) }

  init(_ name: String, _ model: AppModel) {
    self.name = name
    self.model = model
  }

  static func pressed(_ model: AppModel, _ keys: String) -> AppModel {
    var model = model
    _ = commands(&model, keys)
    return model
  }

  /// Returns all commands that the keys cause.
  ///
  /// A carriage return is Enter.
  static func commands(_ model: inout AppModel, _ keys: String) -> [Command] {
    keys.flatMap { update(&model, .event(.key($0 == "\r" ? .enter : .character($0)))) }
  }

  private static func noVisibility() -> AppModel {
    var model = Sample.model(.apps)
    _ = update(&model, .loaded(.visibility([])))
    return model
  }

  func frame(_ size: Size) -> Grid {
    var model = model
    _ = update(&model, .event(.resize(width: size.width, height: size.height)))
    var grid = Grid(width: size.width, height: size.height)
    view(model, into: &grid)
    return grid
  }
}
