import SSOLab

/// The registry of all intents, for the tests that each intent must pass; `Scripts/check-layers` finds a missing one.
package enum Intents {
  package static let all: [any Intent.Type] = [
    SignIn.self, AcquireSilently.self, SignOut.self, ForgetAccount.self, MoveClock.self, AddFault.self,
    ClearFault.self, ClearFaults.self, TransferAccount.self, EndApp.self, GetCurrentAccount.self,
    RevokeSessions.self, EditRecord.self, AddRecord.self, RemoveRecord.self, InstallBroker.self,
    RemoveBroker.self, RegisterPlatformSSO.self, InjectFault.self, ReinstallApp.self, OpenURL.self,
    SetPolicy.self, RemovePolicy.self,
    SetCompliance.self, EnrollApp.self, CallLinuxBroker.self, ChangeCredentials.self, AnswerSignIn.self,
    ImportCache.self, ImportProject.self, CallProgram.self, AnswerNext.self, UseDevice.self,
    UnregisterDevice.self,
  ]
}
