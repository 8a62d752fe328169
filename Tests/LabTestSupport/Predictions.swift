import SSOCore

@testable import SSOLab

extension AppQueries {
  /// Predicts the result of an app's next silent call for an account.
  ///
  /// `account` is a username or home account ID, or `nil` for a call without an account.
  package func prediction(app name: String, account: String?) throws -> Prediction {
    try Predictor(reader: reader).prediction(reader.app(name), account: account)
  }
}
