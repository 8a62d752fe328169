extension AppsScreen {
  static let keys: [KeyCommand] = .ofScreen(
    own: [
      KeyCommand(
        CallAction.silent, [.character("s")], "s", "silent", name: "silent",
        "Acquires a token silently for the selected app and account, as acquireTokenSilent does.",
        taking: .call),
      KeyCommand(
        CallAction.interactive, [.character("i")], "i", "interactive", name: "signin",
        "Signs in to the selected app interactively, with a prompt only if one is needed.", taking: .call),
      .expire, .invalidate,
      KeyCommand(
        VisibilityAction.show, [.character("m")], "m", "visibility", name: "matrix",
        "Shows for each pair of apps what one can use of the other's sign-in, and why not."),
    ],
    more: [
      KeyCommand(
        CallAction.chooseAccount, [.character("c")], "c", "choose account", name: "choose account",
        "Signs in with select_account: in the broker's picker, without a broker on the provider's page.",
        taking: .call),
      .addAccount,
      KeyCommand(
        CallAction.signOut, [.character("o")], "o", "sign out", name: "signout",
        "Signs the account out of the selected app, and of the apps that share its tokens; shows first what each "
          + "app loses.", taking: .call),
    ], marks: [.mark, .range], isTable: true)
}

extension KeyCommand {
  static let addAccount = KeyCommand(
    CallAction.addAccount, [.character("a")], "a", "add account", name: "add account",
    "Signs in another account with prompt=login.", taking: .app)
  static let repeatFlow = KeyCommand(
    CallAction.repeatCall, [.character(".")], ".", "repeat", name: "repeat",
    "Repeats the last silent call or sign-in.")
}

extension CallAction {
  /// The commands that only the palette has.
  static let paletteKeys: [KeyCommand] = [
    KeyCommand(
      CallAction.currentAccount, name: "current", .app,
      "Calls getCurrentAccount: which account is signed in, and which was before."),
    KeyCommand(
      CallAction.signOutOfBrowser, name: "browser signout", .call,
      "Signs out of the app, and ends the provider's session in the browser too (signoutFromBrowser)."),
    KeyCommand(
      CallAction.wipeAccount, name: "wipe account", .call,
      "Signs out for all clients of the group, account items too (wipeAccount)."),
    KeyCommand(
      CallAction.wipeCache, name: "wipe cache", .call,
      "Signs out and removes every item of the group (wipeCacheForAllAccounts)."),
  ]
}
