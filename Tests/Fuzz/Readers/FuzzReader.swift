import Foundation
import LabTestSupport
import SSOProvider
import Synchronization

@testable import KeyedArchive
@testable import SSOCore
@testable import SSODevice
@testable import SSODoctor
@testable import SSOInterop
@testable import SSOKeychain
@testable import SSOLab
@testable import SSOReading
@testable import SSOScenarios
@testable import SSOStore
@testable import TerminalUI

/// The readers of untrusted input, each of which is a function of arbitrary bytes.
///
/// A trap is a bug, and so is an assertion that does not hold for what was read.
package enum FuzzReader: String, CaseIterable, Sendable {
  case archive, broker, bus, cache, http, json, log, recording, scenario, token, url
  // The files of projects and apps that doctor reads, the address of a team's database, the pages of a provider, and
  // the input from a terminal.
  case androidApp, appList, connection, executable, manifest, page, profile, project, registration, source,
    terminal

  /// The reader that `SSOTERM_FUZZ_READER` specifies.
  package static var named: FuzzReader {
    let name = ProcessInfo.processInfo.environment["SSOTERM_FUZZ_READER"] ?? ""
    guard let reader = FuzzReader(rawValue: name) else {
      fatalError("SSOTERM_FUZZ_READER: \(allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return reader
  }

  package func read(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    switch self {
    case .androidApp: _ = try? APKReader.read(Data(bytes), path: "x.apk")
    case .appList: readAppList(Data(bytes))
    case .archive: readArchive(Data(bytes))
    case .broker: openURL(text)
    case .bus: readCall(text)
    case .cache: readCache(Data(bytes))
    case .connection: readAddress(text)
    case .executable: _ = try? MachO.signature(Data(bytes))
    case .http: answer(bytes)
    case .json: readJSON(Data(bytes))
    case .log: readLog(bytes)
    case .manifest: readManifest(Data(bytes))
    case .page: readPage(bytes)
    case .profile: _ = try? ProvisioningProfile.read(Data(bytes))
    case .project: readProject(Data(bytes))
    case .recording: readRecording(Data(bytes))
    case .registration: readRegistration(Data(bytes))
    case .scenario: readScenario(text)
    case .source: readSource(text)
    case .terminal: readKeys(bytes)
    case .token: readToken(text)
    case .url: readURL(text)
    }
  }

  private func hold(_ isSo: Bool, _ claim: String) { if !isSo { fatalError("\(rawValue): \(claim)") } }

  private func readAppList(_ data: Data) {
    guard let list = try? PropertyListReader.read(data) else { return }
    var reader = AppleReader(facts: AppleFacts(name: "x", origin: FilePlace("x")))
    reader.takeInfo(list, path: "x")
    reader.takeEntitlements(list, path: "x")
  }

  private func readAddress(_ text: String) {
    guard let address = try? LabAddress(text, stateFolder: "", driver: nil) else { return }
    hold(!LabAddress.hasPassword(address.name), "a name has no password")
  }

  private func readManifest(_ data: Data) {
    guard let manifest = (try? XMLReader.read(data)) ?? (try? BinaryXML.read(data)) else { return }
    var facts = AndroidFacts(name: "x", origin: FilePlace("x"))
    AndroidManifestReader.take(manifest, path: "x", values: [:], into: &facts)
    _ = AndroidRules(facts: facts, registrations: []).checks()
  }

  private func readPage(_ bytes: [UInt8]) {
    guard let form = HTMLForm(bytes) else { return }
    hold(!form.action.isEmpty && !form.fields.isEmpty, "a form has an address and fields")
  }

  private func readProject(_ data: Data) {
    guard let project = try? XcodeProject(data, bundle: "/nowhere/x.xcodeproj") else { return }
    hold(project.targets.allSatisfy { $0.name.utf8.count <= data.count }, "a name is from the file")
  }

  private func readRegistration(_ data: Data) {
    _ = try? RegistrationFacts.read(data, path: "x")
    _ = try? AndroidFacts.Configuration.read(String(decoding: data, as: UTF8.self), path: "x")
  }

  private func readSource(_ text: String) {
    for name in ["x.swift", "x.kt", "x.m", "x.ts"] {
      _ = SourceFacts([SourceScan(text, path: name)], bundleID: "com.contoso.mail")
    }
  }

  /// Feeds what a terminal sends in two parts, which must give the same keys as in one.
  private func readKeys(_ bytes: [UInt8]) {
    var (whole, parts) = (KeyDecoder(), KeyDecoder())
    let events = whole.feed(bytes) + whole.flush()
    let middle = bytes.count / 2
    let halves = parts.feed(bytes[..<middle]) + parts.feed(bytes[middle...]) + parts.flush()
    hold(events == halves, "keys do not depend on how they arrive")
  }

  private func readArchive(_ data: Data) {
    _ = WipeInfo(data: data)
    do throws(ArchiveError) {
      let item = try LegacyItem(data: data)
      hold((try? LegacyItem(data: item.data)) == item, "what was read is written so that it is read again")
    } catch {
      hold(
        (0...data.count).contains(error.offset) && !error.problem.isEmpty, "an error has a place and a reason"
      )
    }
  }

  /// Lets another vendor's app open the URL, and dismisses every prompt.
  private func openURL(_ url: String) {
    if let request = try? BrokerRequest(url: url) {
      hold(
        (try? BrokerRequest(url: request.url)) == request, "what was read is sent so that it is read again")
    }
    let lab = FuzzedLab.next()
    var answers: [Answer] = []
    while case .needs? = try? lab.perform(OpenURL(url, from: "com.myapp.mytestapp"), answers: answers) {
      answers.append(.cancel)
      hold(answers.count < 10, "the questions end")
    }
  }

  private func readCall(_ body: String) {
    let caller = LinuxCaller(connection: ":1.1", userID: 1000, processID: 1, executable: "/usr/bin/x")
    for method in LinuxBrokerMethod.allCases {
      do throws(LinuxBrokerError) {
        _ = try LinuxBrokerRequest(LinuxBrokerCall(method, correlationID: "1", body: body, caller: caller))
      } catch {
        hold(LinuxBrokerAnswer(error, for: method).error == error, "a refusal is an answer")
      }
    }
  }

  private func readCache(_ data: Data) {
    do throws(CacheFileError) {
      let file = try CacheReader.read(data)
      _ = file.keptDocument
      let check = try CacheCheck(data, now: Instant(1_772_442_000))
      hold(check.findings.allSatisfy { isPresentable($0.entry) }, "an entry has a name")
    } catch {
      hold(isPresentable(error.description), "an error says something")
    }
  }

  /// Handles a request whose first line is the method and the target, followed by headers, an empty line, and the body.
  private func answer(_ bytes: [UInt8]) {
    let parts = bytes.split(separator: 10, maxSplits: 4, omittingEmptySubsequences: false)
    let words = String(decoding: parts[0], as: UTF8.self).split(separator: " ", maxSplits: 1).map(String.init)
    let headers = parts.dropFirst().prefix(3).compactMap { line -> NameValue? in
      let halves = String(decoding: line, as: UTF8.self).split(separator: ":", maxSplits: 1).map(String.init)
      return halves.count == 2 ? NameValue(halves[0], halves[1]) : nil
    }
    let body = Data(parts.count > 4 ? Array(parts[4]) : [])
    guard words.count == 2,
      let request = try? HTTPRequest(
        words[0], origin: "https://localhost:8400", target: words[1], headers: headers, body: body)
    else { return }
    let answer = try? FuzzedLab.next().serve(request, cookies: request.cookies, approval: .browser)
    hold((100..<600).contains(answer?.answer.http.status ?? 0), "a request has an answer")
  }

  private func readJSON(_ data: Data) {
    _ = JSONValue(bounded: data)
    guard let value = try? JSONParser.parse(data) else { return }
    for layout in [JSONLayout.wire, .keychain, .document] {
      let written = value.bytes(layout)
      hold(
        (try? JSONParser.parse(written))?.bytes(layout) == written, "what was written is read as it was meant"
      )
    }
  }

  private func readLog(_ bytes: [UInt8]) {
    var reader = LogReader(people: KnownPeople(), strings: LogStrings())
    bytes.withUnsafeBytes { reader.feed($0) }
    let reading = reader.finish()
    let shown = reading.traces.flatMap(\.hops).flatMap(\.sent).map(\.value)
    hold(shown.allSatisfy { !$0.utf8.contains(0x1B) }, "no escape sequence comes through")
  }

  private func readRecording(_ data: Data) {
    guard let file = try? HARFile(data) else { return }
    _ = RecordingReader(file).read()
    _ = try? RecordingRedaction(data)
  }

  private func readScenario(_ text: String) {
    do throws(ScenarioError) {
      let file = try ScenarioFile(ScenarioSource(path: "a.yaml", text: text)) { _ in nil }
      _ = try? Lab.temporary(file)
    } catch {
      hold(isPresentable(error.description) && !error.description.contains("\n"), "an error has one line")
    }
  }

  private func readToken(_ text: String) {
    let token = try? JSONWebToken(unverified: text)
    hold(
      token == nil || (try? JSONWebToken(verifying: text, keys: [])) == nil, "nothing is valid without a key")
    _ = ClientInfo(text)
    _ = Base64URL.decode(text)
    let response = HTTPResponse(200, body: Data(text.utf8))
    _ = try? TokenResponse(reading: response)
    _ = OAuthError(reading: response)
  }

  private func readURL(_ text: String) {
    _ = FormEncoding.decode(text)
    guard let parts = URLParts(text) else { return }
    // The parts are split and not repaired, so together they are the text.
    let tail = (parts.query.map { "?" + $0 } ?? "") + (parts.fragment.map { "#" + $0 } ?? "")
    hold(
      [parts.scheme + ":" + parts.path + tail, parts.origin + parts.path + tail].contains(text),
      "the parts are the text")
    hold(parts.authority.hasPrefix(parts.host), "the host is the beginning of the authority")
  }
}

/// A lab that is replaced after a number of inputs, so that what they leave behind does not slow down the next ones.
private enum FuzzedLab {
  private static let state = Mutex<(lab: Lab?, uses: Int)>((nil, 0))

  static func next() -> Lab {
    state.withLock { state in
      if let lab = state.lab, state.uses < 500 {
        state.uses += 1
        return lab
      }
      let library = ScenarioLibrary()
      guard let lab = try? Lab.temporary(try library.scenario("D7-another-vendors-app")) else {
        fatalError("no scenario D7")
      }
      state = (lab, 0)
      return lab
    }
  }
}
