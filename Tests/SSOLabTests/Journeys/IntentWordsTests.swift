import LabTestSupport
import SSODevice
import SSOLab
import SSOProvider
import Testing

@Suite struct IntentWordsTests {
  @Test func verbsAreUnique() {
    let verbs = Intents.all.map { $0.verb }
    #expect(Set(verbs).count == verbs.count)
  }

  /// Journals and traces of earlier versions contain these words.
  @Test func wordsInJournalAndTraceStayTheSame() throws {
    let fault = Fault(.token, .status(503), remaining: 2)
    let change = try FieldChange("teamID=F6G7H8I9J0")
    let call = LinuxBrokerCall(
      .acquireTokenSilently, correlationID: "", body: "{}",
      caller: LinuxCaller(connection: ":1.1", userID: 1000, processID: 4711, executable: "/usr/bin/az"))
    let samples: [(intent: any Intent, displayText: String)] = [
      (SignIn(app: "a", account: "ada", scopes: ["s"], prompt: .login), "sign in a as ada"),
      (SignIn(app: "a"), "sign in a"),
      (AcquireSilently(app: "a", account: "ada", forceRefresh: true), "silent a as ada"),
      (
        SignOut(
          app: "a", account: "ada",
          options: SignOutOptions(fromBrowser: true, wipeAccount: true, wipeCache: true)),
        "sign out of a as ada, signoutFromBrowser, wipeAccount, wipeCacheForAllAccounts"
      ),
      (SignOut(app: "a"), "sign out of a"),
      (ForgetAccount(account: "ada"), "forget ada"),
      (ChangeCredentials(.expire, ["t1"]), "expire t1"),
      (ChangeCredentials(.invalidate, ["t1", "t2"]), "invalidate 2 credentials"),
      (ChangeCredentials(.delete, ["t1"]), "delete t1"),
      (MoveClock(bySeconds: 3600), "clock +1h"),
      (MoveClock(bySeconds: nil), "reset the clock"),
      (ImportProject(name: "p", apps: [], registrations: [], clients: []), "import the project p"),
      (AddFault(fault), "fault token: 503, 2 more"),
      (ClearFaults(), "clear the faults"),
      (ClearFault(fault), "clear the fault token: 503, 2 more"),
      (InstallBroker(version: "1"), "install the broker"),
      (InstallBroker(managed: BrokerManagement()), "push the broker as an administrator"),
      (RemoveBroker(), "remove the broker"),
      (RegisterPlatformSSO(account: "ada"), "register the Mac and ada for Platform SSO"),
      (InjectFault(app: "a", InjectedFault.allCases[0]), "inject a fault into a: personReturns"),
      (InjectFault(app: "a", nil), "inject a fault into a: nothing"),
      (ReinstallApp(app: "a"), "reinstall a"),
      (OpenURL("msauth.a://auth?code=1", from: "a"), "open msauth.a://auth from a"),
      (EditRecord(.app, record: "a", [change]), "set app a teamID=F6G7H8I9J0"),
      (AddRecord(.app, record: "a", [change]), "add app a teamID=F6G7H8I9J0"),
      (RemoveRecord(.app, record: "a"), "remove app a"),
      (SetPolicy(Policy(name: "p", requires: .mfa)), "policy p: mfa"),
      (RemovePolicy(name: "p"), "remove policy p"),
      (UseDevice("device-2"), "use device device-2"),
      (UnregisterDevice("device-2"), "delete device device-2 from the directory"),
      (SetCompliance(true), "device is compliant"),
      (SetCompliance(false), "device is not compliant"),
      (EnrollApp(app: "a", account: "ada"), "enrol a for ada"),
      (TransferAccount(from: "a", to: "b"), "transfer the account from a to b"),
      (TransferAccount(from: nil, to: "b"), "open b"),
      (AnswerSignIn(id: "1", client: "Azure CLI"), "answer the sign-in of Azure CLI"),
      (
        AnswerNext([.wrongPassword, .person(username: "grace")]), "answer next: wrong-password, as:grace"
      ),
      (AnswerNext([]), "clear the next answers"),
      (EndApp(app: "a"), "end a"),
      (GetCurrentAccount(app: "a"), "current account of a"),
      (RevokeSessions(account: "ada"), "sign out ada everywhere"),
      (CallLinuxBroker(call), "az calls acquireTokenSilently"),
      (
        CallProgram(
          Program(
            name: "tool", kind: .publicProgram, clientID: "c", authority: "https://a/t", redirectURI: ""),
          .deviceCode, scopes: []), "tool asks with the grant deviceCode"
      ),
    ]
    for sample in samples { #expect(sample.intent.displayText == sample.displayText) }
    let missing = Intents.all.filter { type in !samples.contains { Swift.type(of: $0.intent) == type } }
    // The words of an imported cache contain only its name; the import has its own tests.
    #expect(missing.map { $0.verb } == ["importCache"])
  }
}
