import SSOCore
import SSODevice
import SSODoctor

extension Evidence {
  /// Returns the project's app that failed, or `nil` if the project has no app for the system of the sources.
  ///
  /// It is the app of the finding, or else, of the apps that a source names or a given registration belongs to, the first
  /// with a finding.
  ///
  /// An app for iOS, its version for macOS, and their configurations may have one bundle ID.
  package func app(in diagnosis: Diagnosis) -> ProjectApp? {
    let system = caller.platform
    let all = diagnosis.projectApps
    let ofSystem = all.filter { ($0.platform == .android) == (system == .android) }
    let ofChosen = ofSystem.filter { value(.system)?.hasPrefix($0.platform.rawValue) == true }
    let apps = !ofChosen.isEmpty ? ofChosen : system == nil ? all : ofSystem
    let pool = [apps.filter(isNamed), apps.filter(diagnosis.isRegistered)].first { !$0.isEmpty } ?? apps
    let findings = Set(diagnosis.refusedFindings.map(\.subject))
    return apps.first { $0.subject == subject } ?? pool.first { findings.contains($0.subject) }
      ?? (failure.isEmpty ? diagnosis.questionedAndroidApp(among: pool) : nil)
      ?? pool.first { !$0.isExtension } ?? pool.first
  }

  /// The doctor's first finding about the app's configuration for which the SDK has an error.
  var configurationFinding: DoctorCheck? {
    refusedFindings.first { finding in
      finding.refusal.map { !$0.code.hasPrefix("AADSTS") && !Self.decidedCodes.contains($0.code) } ?? false
    }
  }

  /// The codes that the lab decides for the configuration that it has, whatever other files say.
  private static let decidedCodes: Set = [
    "app_manifest_validation_error", "redirect_uri_validation_error", "multiple_apps_listening_url_scheme",
  ]

  /// The codes with which the SDK reports what the doctor finds in the app's files.
  var codesOfFindings: Set<String> { Set(refusedFindings.compactMap(\.refusal?.code)) }

  private var refusedFindings: [DoctorCheck] {
    guard let diagnosis, let app = app(in: diagnosis) else { return [] }
    return diagnosis.refusedFindings.filter { $0.subject == app.subject }
  }

  /// Whether a source names the app, by its bundle ID or package, or else by its client ID.
  private func isNamed(_ app: ProjectApp) -> Bool {
    if let id = value(.bundleID) { return app.packageNames.contains(id) }
    return value(.clientID).map { $0.lowercased() == app.clientID?.value.lowercased() } ?? false
  }

  /// Returns the reason for choosing an app among several.
  func reason(for app: ProjectApp, in diagnosis: Diagnosis) -> String {
    if app.subject == subject { return "the app of the finding" }
    if isNamed(app) {
      return value(.bundleID) == nil ? "the app with the source's client ID" : "the app that the source names"
    }
    if diagnosis.refusedFindings.contains(where: { $0.subject == app.subject }) {
      return "the first app with a mistake: the source names none"
    }
    if app.platform == .android, diagnosis.findings.contains(where: { $0.subject == app.subject }) {
      return "the first app that may have a mistake: the source names none"
    }
    return diagnosis.isRegistered(app)
      ? "the app of the registration: the source names none" : "the first app: the source names none"
  }
}

extension Diagnosis {
  /// The findings for which the SDK or the provider has an error, which a call of the app runs into.
  fileprivate var refusedFindings: [DoctorCheck] {
    findings.filter { $0.severity == .fails && $0.refusal != nil }
  }

  /// Returns the app for Android of a wrapper with a mistake that the files do not prove, if no finding is about the apps
  /// before it, or `nil` if there is none.
  ///
  /// The code that a wrapper's project runs on Android is not read, so that its mistakes are questions.
  fileprivate func questionedAndroidApp(among apps: [ProjectApp]) -> ProjectApp? {
    let questioned = findings.filter { $0.refusal != nil }.map(\.subject)
    let first = apps.first { questioned.contains($0.subject) }
    return apps.first?.platform != .android && first?.platform == .android ? first : nil
  }

  /// Returns whether a given registration is the app's, by its client ID or a redirect URI.
  fileprivate func isRegistered(_ app: ProjectApp) -> Bool {
    let client = app.clientID?.value.lowercased()
    if registrations.contains(where: { $0.clientID.value.lowercased() == client }) { return true }
    let owners = registrations.flatMap(\.redirects).compactMap { RedirectOwner.bundleID(in: $0.uri) }
    return app.packageNames.contains(where: owners.contains)
  }
}

extension ProjectApp {
  /// The bundle ID, or the names of the package in all flavours and build types.
  fileprivate var packageNames: [String] {
    var names = [bundleID?.value].compactMap(\.self)
    if case .android(let facts) = self { names += facts.otherPackageNames.map(\.value) }
    return names
  }
}
