extension SilentCommand {
  /// Creates the command from the form that scripts use, or returns `nil` for any other form.
  ///
  /// The form is `APP --account U --scope S…` and flags, with each option once and its value in a separate word. Other
  /// forms, including mistakes and `--help`, are left to ArgumentParser, which first inspects its types by reflection.
  /// That takes one of the call's eight milliseconds.
  init?(plain words: [String]) {
    self.init()
    var (app, account, authority, claims) = (String?.none, String?.none, String?.none, String?.none)
    var (scopes, forceRefresh, options) = ([String](), false, GlobalOptions.none)
    var rest = words[...]

    /// Returns the next word as a value, unless it is an option.
    func value() -> String? {
      guard let word = rest.first, !word.isEmpty, !word.hasPrefix("-") else { return nil }
      rest.removeFirst()
      return word
    }
    func take(_ option: inout String?) -> Bool {
      guard option == nil else { return false }
      option = value()
      return option != nil
    }
    func turnOn(_ flag: inout Bool) -> Bool {
      defer { flag = true }
      return !flag
    }

    while let word = rest.first {
      let isKnown: Bool
      if word.hasPrefix("-") { rest.removeFirst() }
      switch word {
      case "--account": isKnown = take(&account)
      case "--authority": isKnown = take(&authority)
      case "--claims": isKnown = take(&claims)
      case "--store": isKnown = take(&options.store)
      case "--scope":
        let isFirst = scopes.isEmpty
        while let scope = value() { scopes.append(scope) }
        isKnown = isFirst && !scopes.isEmpty
      case "--force-refresh": isKnown = turnOn(&forceRefresh)
      case "--json": isKnown = turnOn(&options.json)
      case "--unmask": isKnown = turnOn(&options.unmask)
      case "--quiet": isKnown = turnOn(&options.quiet)
      case "--readonly": isKnown = turnOn(&options.readonly)
      default: isKnown = !word.hasPrefix("-") && take(&app)
      }
      guard isKnown else { return nil }
    }
    guard let app else { return nil }
    (self.app, self.account, self.scopes, self.forceRefresh) = (app, account, scopes, forceRefresh)
    self.options = options
    form = nil
    call = CallSettings(authority: authority, claims: claims)
  }
}

extension CallSettings {
  fileprivate init(authority: String?, claims: String?) {
    self.init()
    self.authority = authority
    self.claims = claims
  }
}
