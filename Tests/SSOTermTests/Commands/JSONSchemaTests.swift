import ArgumentParser
import Foundation
import Testing

@testable import SSOCore
@testable import SSOLab
@testable import SSOTerm
@testable import SSOTermApp

/// `docs/json.schema.json`, compared with the documents that the commands print.
///
/// `RECORD_GOLDENS=1` adds the parts of the documents that it lacks.
@Suite struct JSONSchemaTests {
  /// A command line, with the name of the schema that its document fits, or `-` if it prints none.
  private static let lines = """
    exitCodes: --exit-codes
    status: status --create
    paths: paths
    keys: config keys
    - echo 'nothing: 1' > config.yaml
    mistakes: config check config.yaml
    - echo 'theme: dark' > config.yaml
    settings: config check config.yaml
    text: help clock
    recordedDemo: demo contoso-suite --record demo.cast
    error: tui nowhere
    accounts: accounts
    error: pick
    outcome: silent mytestapp1
    - echo analytical-engine > password
    outcome: signin mytestapp1 --account ada@contoso.com --password-stdin --accept-consent < password
    apps: apps
    accounts: accounts
    tokens: tokens
    tokens: tokens --unmask
    keychain: keychain
    keychainItems: keychain com.microsoft.adalcache
    candidate: pick --choose ada@contoso.com
    outcome: silent mytestapp2
    outcome: silent mytestapp2 --unmask
    outcome: silent mytestapp2 --scope Mail.Send
    - ssoterm silent mytestapp1 --print token > token
    token: token inspect token
    outcome: current mytestapp1
    outcome: handover mytestapp2 --from mytestapp1
    outcome: signout mytestapp3
    change: undo
    change: redo
    change: undo
    outcome: expire t2
    outcome: invalidate t4
    outcome: delete t3 --yes
    outcome: revoke ada
    outcome: forget ada --yes
    journal: journal
    clock: clock
    outcome: clock +1h
    clock: clock
    outcome: fault add token 503 --times 1
    outcome: fault add token 429 --client nobody
    faults: fault list
    outcome: fault clear
    broker: broker status
    outcome: broker install
    broker: broker status
    outcome: broker remove
    outcome: broker platform-sso --account ada@contoso.com
    error: broker env
    error: broker serve --approve nobody
    outcome: disturb mytestapp1 tampered
    outcome: reinstall mytestapp2
    outcome: end mytestapp1
    outcome: open https://contoso.com --from mytestapp1
    outcome: policy add phones --require compliantDevice --person ada@contoso.com
    outcome: policy add codes --require signInFrequency --flow deviceCode --hours 8
    policies: policy list
    record: policy show phones
    outcome: policy set phones requires=mfa
    outcome: policy remove phones
    outcome: compliance on
    outcome: enroll mytestapp1 --account ada@contoso.com
    records: app list
    record: app show mytestapp1
    projectFiles: app show mytestapp1 --as plist
    outcome: device set device-1 platform=macOS
    broker: broker status
    outcome: device set device-1 platform=Android
    outcome: silent mytestapp1
    change: undo
    outcome: app add com.contoso.mail displayName=Mail
    outcome: app set com.contoso.mail displayName=Post
    outcome: app remove com.contoso.mail
    outcome: device add spare platform=Android
    outcome: device unregister spare
    outcome: device use spare
    outcome: device use device-1
    outcome: device remove spare
    error: app import .
    outcome: app import sample:no-callback
    labs: lab list
    lab: lab create spare
    lab: lab copy other
    lab: lab remove spare --yes
    resetLab: lab reset --scenario contoso-suite
    exportedKey: key export
    exportedKey: key export -o key.txt
    error: key import - --code-stdin < /dev/null
    - ssoterm key export -o own.txt | sed -n 's/Code: //p' > code
    importedKey: key import own.txt --code-stdin < code
    cache: view samples/caches/msal_python_cache.json
    cache: view samples/caches/synth_java_style_cache.json
    importedCaches: import samples/caches/msal_python_cache.json
    exportedCache: export -o cache.json
    cacheCheck: cache check cache.json
    cacheCheck: cache check samples/caches/az_msal_token_cache.json
    log: read samples/logs/apple-cached.log
    log: read samples/logs/apple-keychain-entitlement.log --lines
    comparison: read samples/logs/apple-cached.log samples/logs/apple-keychain-entitlement.log
    logSource: read --how android
    reproduction: reproduce samples/logs/apple-refresh-refused.log
    reproduction: reproduce samples/logs/dotnet-client-secret.log
    reproduction: reproduce samples/logs/apple-cached.log
    error: reproduce samples/logs/apple-cached.log --only 2
    reproduction: reproduce --project sample:no-callback
    - ssoterm trace export --as har > sign-in.har
    scenarios: scenario list
    scenario: scenario show contoso-suite
    scenarioReports: scenario run contoso-suite
    claims: scenario claims
    - printf 'checklist: Release\\nitems:\\n  - manual: Open Mail.\\n    expect: No picker.\\n  - scenario: contoso-suite\\n' > list.yaml
    checklist: checklist list.yaml
    notes: notes
    traces: trace list
    trace: trace show
    trace: trace show 1
    trace: trace export 1
    trace: trace note 1 1 "A note."
    answer: why mytestapp1
    answer: why mytestapp1 mytestapp2
    matrix: why --matrix
    explanations: explain AADSTS50011
    explanations: explain
    forgedKinds: token forge
    forgedToken: token forge wrong-audience --for https://graph.microsoft.com --permission User.Read
    variables: serve env --port 1
    nextAnswers: serve next
    outcome: serve next decline as:grace
    error: serve --approve nobody
    federationToken: federation token --subject repo:contoso/app
    outcome: federation add b6c69a37 --subject repo:contoso/app
    certificates: ca show
    certificate: ca export
    certificate: ca export -o ca.pem
    diagnosis: doctor sample:no-callback
    diagnosis: doctor sample:no-callback sample:no-query-scheme
    error: silent nothing
    error: run
    error: completion basic
    """

  @Test func eachCommandHasASchemaAndItsDocumentsFit() throws {
    let file = Program.repository + "/docs/json.schema.json"
    let known = try? JSONParser.parse(Data(contentsOf: URL(fileURLWithPath: file)))
    var found: [String: JSONValue] = [:]
    var commands: [String: Set<String>] = [:]
    let folder = try Folder()
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("samples"), withDestinationPath: Program.repository + "/Tests/TestSamples/Samples")
    for line in Self.lines.split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard words[0] != "-" else {
        #expect(try Program.shell(words[1], in: folder).status == .exit(0), "\(line)")
        continue
      }
      let name = String(words[0].dropLast())
      let typed = words.count > 1 ? words[1] : ""
      let run = try Program.shell("ssoterm \(typed) --json", in: folder)
      guard let document = try? JSONParser.parse(Data(run.out.utf8)), document["version"] == .integer(1)
      else {
        Issue.record("no document: \(line)\n\(run.out.prefix(200))\(run.err)")
        continue
      }
      let schema = JSONSchema.inferred(from: document)
      found[name] = found[name].map { JSONSchema.union($0, schema) } ?? schema
      if name != "error" { commands[Self.command(in: typed), default: []].insert(name) }
    }
    for (path, command) in Self.leaves(SSOTermCommand.self) where commands[path] == nil {
      // All commands of the table of intents print the outcome.
      if "\(command)".hasPrefix("Perform<") { commands[path] = ["outcome"] }
      // The records of all kinds have the same documents; only an app has files too.
      guard let space = path.firstIndex(of: " "), RecordKind(rawValue: String(path[..<space])) != nil else {
        continue
      }
      commands[path] = commands["app" + path[space...]]?.filter { $0 != "projectFiles" }
    }
    let definitions = known?["$defs"]?.object ?? [:]
    let wanted = definitions.merging(found, uniquingKeysWith: JSONSchema.union)
    let schema: JSONValue = [
      "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "The JSON documents of ssoterm",
      "$comment": "`commands` names the documents of each command; any command may print an error instead.",
      "$defs": .object(wanted),
      "anyOf": .array(wanted.keys.sorted().map { ["$ref": .string("#/$defs/" + $0)] }),
      "commands": .object(commands.mapValues { .strings($0.sorted()) }),
    ]
    if ProcessInfo.processInfo.environment["RECORD_GOLDENS"] == "1" {
      try Data((JSONSchema.text(schema) + "\n").utf8).write(to: URL(fileURLWithPath: file))
    }
    let unfit = wanted.filter { definitions[$0] != $1 }.keys.sorted()
    #expect(unfit.isEmpty, "RECORD_GOLDENS=1 adds what the documents have and the schema lacks")
    #expect(Set(definitions.keys) == Set(found.keys))
    #expect(known?["commands"] == schema["commands"])
    let leaves = Set(Self.leaves(SSOTermCommand.self).keys)
    #expect(leaves.subtracting(commands.keys).sorted() == Self.withoutDocument)
  }

  /// The commands that show screens, print a script, or serve until they are ended.
  private static let withoutDocument = [
    "broker env", "broker serve", "completion", "run", "serve run", "tui",
  ]

  /// Returns the words that name a command, such as `policy add`.
  private static func command(in line: String) -> String {
    var (path, type): ([String], any ParsableCommand.Type) = ([], SSOTermCommand.self)
    for word in line.split(separator: " ") {
      guard let next = type.configuration.subcommands.first(where: { $0._commandName == word }) else { break }
      path.append(String(word))
      type = next
    }
    if let usual = type.configuration.defaultSubcommand { path.append(usual._commandName) }
    return path.joined(separator: " ")
  }

  private static func leaves(
    _ command: any ParsableCommand.Type, _ path: [String] = []
  ) -> [String: any ParsableCommand.Type] {
    let below = command.configuration.subcommands
    guard !below.isEmpty else { return [path.joined(separator: " "): command] }
    return below.reduce(into: [:]) { $0.merge(leaves($1, path + [$1._commandName])) { $1 } }
  }
}
