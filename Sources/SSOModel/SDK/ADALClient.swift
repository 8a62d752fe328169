/// One `ADAuthenticationContext` (fact sheet §2.3–2.5, §2.7, §4.3).
///
/// Errors leave as `ADALError`, keychain codes included; anything else thrown is the lab's own (store, prompt).
struct ADALClient {
  var around: AppSurroundings

  var app: InstalledApp { around.app }
  var version: ADALVersion { around.app.adalVersion }

  init(_ around: AppSurroundings) { self.around = around }
}
