import SSOCore
import SSODevice
import SSODoctor
import SSOLab
import SSOProvider
import SSOReproduce
import SSOScenarios
import SSOServer

/// A request to read data from the lab.
enum Load: Hashable, Sendable {
  case status, apps, groups, traces, people
  /// The first page of a long list of accounts or all of a short one, then all accounts, and then their sealed details.
  case firstAccounts, accounts, accountDetails
  /// The visible accounts.
  case accountRows([RowID])
  /// The tree of a scope.
  ///
  /// If the store has very many credentials, this is its branches, or the first page of a branch.
  case tokens(TokenScope)
  /// An entire branch, and the visible credentials.
  case allTokens(TokenScope)
  case tokenRows([RowID])
  case detail(String, revealed: Bool)
  /// The items of an access group or the first page of very many, then all items, and the visible items.
  case items(group: String)
  case allItems(group: String)
  case itemRows([RowID])
  case trace(Int64)
  /// Two traces to compare.
  case comparison(Int64, Int64)
  /// The lifetimes of an account's tokens, for the timeline of an app.
  case lifetimes(app: String, account: String)
  /// The answer to a “why?” question and the call that it is about, for an issue.
  case issue(WhySubject)
  case blastRadius(AnyIntent)
  case visibility, sharing
  case why(WhySubject)
  /// The record with the field whose change makes a failed condition hold.
  case remedy(Remedy)
  case records
  case provider
  /// The files of real apps, checked.
  case doctor(ProjectSource)
  case scenarios
  /// A failure to reproduce, with its facts if they were read, and the values that the user has set in place of
  /// assumptions.
  case reproduction(ReproductionSource, ReadEvidence?, [EvidenceFact.Name: String])
  /// The trace of a call that has just ended, to be drawn once.
  case callPicture(trace: Int64, Outcome)
  /// The newest call of the selected app.
  case lastCall(Int64)
  /// A trace whose outcome is to be explained.
  case outcome(Int64)
  /// The effects of deleting the credentials among these rows of the store.
  case blastRadiusOfRows(Set<RowID>)
}

extension Load {
  static func blastRadius(of intent: some Intent) -> Load { .blastRadius(AnyIntent(intent)) }

  /// Whether this load follows the first page of a list that may be very long.
  var isOfAllRows: Bool {
    switch self {
    case .accounts, .accountDetails, .allTokens, .allItems: true
    default: false
    }
  }
}

/// A response to ``Command/load(_:)``.
indirect enum Loaded: Sendable {
  case status(LabStatus)
  case apps([AppRow])
  case accounts([AccountRow])
  /// All accounts of a very long list or the first of them, with the rows that were read at the same time.
  case accountList(RowIndex, [RowID: AccountRow])
  /// Further columns of the same rows.
  case accountDetails(RowIndex)
  case accountRows([RowID: AccountRow])
  case tokens(TokenTree)
  case tokenBranches([TokenBranch])
  /// A long branch: its headings, which are the first rows of the list, and the list.
  case tokenList(TokenScope, [TokenLine], RowIndex)
  case tokenRows([RowID: TokenRow])
  case detail(TokenDetail?, revealed: Bool)
  case groups([KeychainGroupRow])
  case items(group: String, [KeychainItemRow])
  case itemList(group: String, RowIndex)
  case itemRows([RowID: KeychainItemRow])
  case traces([TraceSummary])
  case trace(Trace?)
  case comparison(Trace?, Trace?)
  case lifetimes([Lifetime], app: String, account: String)
  case issue(WhySubject, Checklist?, Trace?)
  case people([TestPerson])
  case blastRadius(AnyIntent, BlastRadius)
  case visibility([Visibility])
  /// The same for the column beside the next call.
  case sharing([Visibility])
  /// The answer to a “why?” question, or `nil` if its subject no longer exists.
  case why(WhySubject, Checklist?)
  case remedy(FieldChange, RecordRow)
  case outcome(Trace?)
  case callPicture(Trace?, Outcome)
  case lastCall(Trace?)
  case records([RecordRow])
  case provider(ProviderRows)
  case doctor(ProjectSource, Result<CheckedProject, UnreadableProject>)
  case scenarios([ScenarioEntry])
  /// The facts and the result, or `nil` if the failure is no longer there.
  case reproduction(ReproductionSource, ReadEvidence?, [EvidenceFact.Name: String], Reproduction?)
}

extension Load {
  func read(from lab: Lab) throws -> Loaded {
    switch self {
    case .status: .status(try LabStatus.ofThisMachine(lab))
    case .apps: .apps(try lab.read { try $0.apps.rows() })
    case .firstAccounts: try lab.read { try AccountReading(reader: $0).first() }
    case .accounts: try lab.read { try AccountReading(reader: $0).all() }
    case .accountDetails: try lab.read { try AccountReading(reader: $0).details() }
    case .accountRows(let ids): .accountRows(try lab.read { try $0.accounts.rows(ids.map(\.value)) }.byID)
    case .tokens(let scope): try lab.read { try KeyReading(reader: $0).tokens(of: scope) }
    case .allTokens(let scope): try lab.read { try KeyReading(reader: $0).tokenList(scope, limit: nil) }
    case .tokenRows(let ids): .tokenRows(try lab.read { try $0.branches.rows(ids.map(\.value)) }.byID)
    case .detail(let id, let revealed):
      .detail(try lab.read { try $0.tokens.detail(id, unmasked: revealed) }, revealed: revealed)
    case .people: .people(try lab.read { try $0.directory.people() }.prefix(40).map { TestPerson($0) })
    case .groups: .groups(try lab.read { try $0.keychain.groups() })
    case .items(let group): try lab.read { try KeyReading(reader: $0).items(of: group) }
    case .allItems(let group): try lab.read { try KeyReading(reader: $0).itemList(group, limit: nil) }
    case .itemRows(let ids): .itemRows(try lab.read { try $0.keychain.rows(ids.map(\.value)) }.byID)
    case .traces: .traces(try lab.read { try $0.traces.rows(limit: 500) })
    case .trace(let id): .trace(try lab.read { try $0.traces.trace(id) })
    case .comparison(let first, let second):
      try lab.read { .comparison(try $0.traces.trace(first), try $0.traces.trace(second)) }
    case .lifetimes(let app, let account):
      .lifetimes(try lab.read { try Lifetime.all(of: account, in: $0) }, app: app, account: account)
    case .issue(let subject):
      try lab.read { reader in
        let trace = try subject.traceID(reader.traces).flatMap { try reader.traces.trace($0) }
        return .issue(subject, try subject.checklist(reader.why), trace)
      }
    case .visibility: .visibility(try lab.read { try $0.why.visibility() })
    case .sharing: .sharing(try lab.read { try $0.why.visibility() })
    case .why(let subject): .why(subject, try lab.read { try subject.checklist($0.why) })
    case .remedy(let remedy):
      .remedy(
        try FieldChange(remedy.change),
        try lab.read { try $0.records.row(remedy.recordKind, named: remedy.record) })
    case .callPicture(let id, let outcome):
      .callPicture(try lab.read { try $0.traces.trace(id) }, outcome)
    case .lastCall(let id): .lastCall(try lab.read { try $0.traces.trace(id) })
    case .outcome(let id): .outcome(try lab.read { try $0.traces.trace(id) })
    case .provider:
      .provider(try lab.read { try ProviderRows($0, authorityFile: CertificateAuthorityFile(of: lab).path) })
    case .doctor(let source):
      .doctor(
        source,
        Result { () throws(UnreadableProject) in
          CheckedProject(
            try Doctor.examine(source.paths, clientID: source.clientID), clientID: source.clientID)
        })
    case .scenarios: .scenarios(ScenarioLibrary.ofProgram.all().map { ScenarioEntry($0.name, $0.file) })
    case .reproduction(let source, let known, let chosen):
      try Self.reproduction(source, known?.evidence ?? source.evidence(in: lab), chosen)
    case .records:
      .records(try lab.read { reader in try LabRow.kinds.flatMap { try reader.records.rows($0) } })
    case .blastRadius(let intent): .blastRadius(intent, try lab.blastRadius(of: intent.value))
    case .blastRadiusOfRows(let ids):
      try Load.blastRadius(
        of: ChangeCredentials(.delete, lab.read { try Target.rows(ids, kinds: []).credentials(in: $0) })
      ).read(from: lab)
    }
  }
}

extension Load {
  private static func reproduction(
    _ source: ReproductionSource, _ evidence: Evidence?, _ chosen: [EvidenceFact.Name: String]
  ) -> Loaded {
    .reproduction(
      source, evidence.map { ReadEvidence($0) }, chosen, evidence.map { Reproducer($0, chosen).reproduce() })
  }
}

extension WhySubject {
  /// The app that the question is about, if it is about one.
  var app: String? {
    switch self {
    case .app(let app, _), .apps(let app, _): app
    case .account, .token, .trace: nil
    }
  }

  /// Whether the question is about a single call.
  var isTrace: Bool { if case .trace = self { true } else { false } }

  /// Returns the trace that the question is about, or the newest call of its app, or `nil` if there is no such trace.
  fileprivate func traceID(_ traces: TraceQueries) throws -> Int64? {
    if case .trace(let id) = self { return id }
    return try app.flatMap { app in
      try traces.rows(limit: 100).first { $0.hopCount > 1 && $0.isAbout(app) && !$0.isUndone }?.id
    }
  }

  fileprivate func checklist(_ why: WhyQueries) throws -> Checklist? {
    switch self {
    case .app(let app, let account): try why.app(app, account: account)
    case .apps(let app, let other): try why.app(app, with: other)
    case .account(let account): try why.account(account)
    case .token(let id): try why.credential(id)
    case .trace(let id): try why.trace(id)
    }
  }
}

extension TestPerson {
  fileprivate init(_ person: DirectoryUser) {
    self.init(
      username: person.username, password: person.password,
      remark: person.isDisabled ? "disabled" : person.requiresMFA ? "MFA required" : "")
  }
}
