extension Outcome {
  /// The exit status of a command with this outcome.
  var status: ExitStatus {
    switch verdict {
    case .succeeded: .done
    case .cancelled: .cancelled
    case .failed:
      switch errorDomain {
      case "MSALErrorDomain": Self.status(ofMSALCode: errorCode)
      case ADALError.Domain.authentication.rawValue:
        errorCode == ADALCode.serverUserInputNeeded.number ? .signInNeeded : .fault
      default: .fault
      }
    }
  }

  private static func status(ofMSALCode code: Int?) -> ExitStatus {
    switch code.flatMap(MSALCode.init(number:)) {
    case .interactionRequired: .signInNeeded
    case .userCanceled: .cancelled
    default: .fault
    }
  }
}
