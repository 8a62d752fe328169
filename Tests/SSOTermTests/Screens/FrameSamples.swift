import TerminalUI
import Testing

@testable import SSOModel
@testable import SSOTerm

/// Every screen by name, in the four sizes of the design.
struct FrameSample: Sendable, CustomTestStringConvertible {
  var name: String
  var model: AppModel
  var testDescription: String { name }

  static let sizes = [(80, 24), (120, 40), (60, 20), (40, 12)].map { Size(width: $0.0, height: $0.1) }

  static let all: [FrameSample] = [
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
        Sample.prompt(.signIn(Sample.signIn(.password, failure: "AADSTS50126: wrong password."))), "hunter2")),
    FrameSample("sign-in-number", Sample.prompt(.signIn(Sample.signIn(.verification("42"))))),
    FrameSample("consent", Sample.prompt(.consent(Sample.consent))),
    FrameSample("error-page", Sample.prompt(.errorPage(Sample.errorPage))),
    FrameSample("confirm", confirming()), FrameSample("help", pressed(Sample.model(.apps), "?")),
    FrameSample("help-filtered", pressed(Sample.model(.tokens), "?exp")),
    FrameSample("palette", pressed(Sample.model(.apps), ":sign")),
    FrameSample("filter", pressed(Sample.model(.apps), "/contoso !chat")),
    FrameSample("apps-empty", AppModel(title: "demo")),
  ]

  init(_ name: String, _ model: AppModel) {
    self.name = name
    self.model = model
  }

  static func pressed(_ model: AppModel, _ keys: String) -> AppModel {
    var model = model
    for key in keys { _ = update(&model, .event(.key(.character(key)))) }
    return model
  }

  private static func confirming() -> AppModel {
    var model = Sample.model(.apps)
    let intent = Intent.signOut(app: "com.contoso.mail", account: "ada@contoso.com")
    _ = update(&model, .loaded(.blastRadius(intent, Sample.radius)))
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
