/// A row of the account picker: an account, or one of the two other options below the accounts.
enum PickerRow: Equatable, Sendable {
  case account(PickerCandidate)
  /// "Use another account".
  case other
  /// “Sign out of one…”, after which the picker asks which account to sign out.
  case signOut

  /// The IDs of the other options in the list.
  ///
  /// The ID of an account is its home account ID.
  static let otherID = "+"
  static let signOutID = "-"

  /// The key and the text of an option other than an account, or `nil` for an account.
  var way: (sign: String, words: String)? {
    switch self {
    case .account: nil
    case .other: (Self.otherID, "Use another account")
    case .signOut: (Self.signOutID, "Sign out of one…")
    }
  }
}

extension PickerRow {
  /// Creates a row from its number among all rows of the picker, or returns `nil` if there is none.
  init?(_ number: Int, in dialog: PromptDialog) {
    guard case .chooseAccount(let picker) = dialog.prompt, dialog.list.ids.indices.contains(number) else {
      return nil
    }
    self =
      if picker.candidates.indices.contains(number) {
        .account(picker.candidates[number])
      } else if dialog.list.ids[number] == RowID(Self.signOutID) { .signOut } else { .other }
  }
}

extension PickerRow {
  /// Returns how many accounts the picker's filter finds, and of how many.
  ///
  /// The other options below them are not counted.
  static func found(in dialog: PromptDialog) -> String? {
    guard case .chooseAccount(let picker) = dialog.prompt else { return nil }
    let ways = Set([otherID, signOutID].map { RowID($0) })
    let list = dialog.list
    let found = list.count - list.matches.suffix(ways.count).count { ways.contains(list.ids[$0]) }
    return "\(found) of \(picker.candidates.count)"
  }
}

extension PromptDialog {
  /// The selected row of the picker, or `nil` if no row matches the filter.
  var pickerRow: PickerRow? { list.selectedRow.flatMap { PickerRow($0, in: self) } }

  /// The selected account of the picker, or `nil` on a row without an account.
  var candidate: PickerCandidate? {
    if case .account(let candidate) = pickerRow { candidate } else { nil }
  }

  /// Whether an account can be signed out of the device here.
  ///
  /// An external client's picker lists users who were never on the device.
  var canSignOutOne: Bool {
    guard case .chooseAccount(let picker) = prompt else { return false }
    return picker.signsIn && !picker.candidates.isEmpty && !isForRealProgram && !isSigningOut
  }

  /// Lists the accounts and the other options below them.
  ///
  /// While an account is being signed out, lists only the accounts.
  mutating func showRows(of picker: AccountPicker) {
    var ways: [(sign: String, words: String)] = []
    if picker.signsIn, !isSigningOut { ways += [PickerRow.other.way].compactMap(\.self) }
    if canSignOutOne { ways += [PickerRow.signOut.way].compactMap(\.self) }
    list.replace(
      RowIndex(
        ids: picker.candidates.map { RowID($0.id) } + ways.map { RowID($0.sign) },
        texts: picker.candidates.map(\.searchValues) + ways.map { [$0.words] },
        columns: PickerCandidate.searchColumns))
  }

  /// Asks which account to sign out, or goes back to choosing an account.
  mutating func ask(whomToSignOut: Bool) {
    guard case .chooseAccount(let picker) = prompt else { return }
    isSigningOut = whomToSignOut
    showsDetails = false
    list.clearFilter()
    showRows(of: picker)
    list.state.selection = 0
  }
}
