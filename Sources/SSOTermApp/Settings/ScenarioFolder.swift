import Essentials
import SSOScenarios

extension ScenarioLibrary {
  /// The library of this program: the embedded scenarios, preceded by the scenarios in the folder that `SSOTERM_ASSETS`
  /// specifies.
  ///
  /// Files in the current folder are read only if they are specified, because they may belong to another user.
  package static var ofProgram: ScenarioLibrary {
    ScenarioLibrary(assets: ProcessInfo.processInfo.environment["SSOTERM_ASSETS"] ?? "")
  }
}
