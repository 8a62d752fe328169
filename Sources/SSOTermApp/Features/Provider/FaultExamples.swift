extension Fault.Kind {
  /// An example of each sort of fault, with a description.
  ///
  /// Other numbers may be typed.
  package static let examples = [
    Candidate("503", "the server is down"), Candidate("500", "an error in the server"),
    Candidate("429:30", "too many requests, Retry-After 30"),
    Candidate("503:30", "down for 30 seconds, Retry-After 30"), Candidate("unreachable", "no connection"),
    Candidate("slow:5", "answers after 5 seconds"), Candidate("hang", "never answers"),
    Candidate("truncated:20", "the body is truncated"), Candidate("invalid_grant", "the grant is refused"),
    Candidate("invalid_grant:bad_token", "the refresh token is invalid"),
    Candidate("invalid_grant:token_expired", "the refresh token has expired"),
    Candidate("interaction_required", "a person is needed"),
    Candidate("temporarily_unavailable", "try later"),
    Candidate("token:signature", "tokens with a wrong signature"),
    Candidate("token:issuer", "tokens of another issuer"),
    Candidate("token:expired", "tokens that have expired"),
    Candidate("clock:600", "its clock is ten minutes ahead"), Candidate("clock:-600", "ten minutes behind"),
    Candidate("keys:rollover", "a new key signs"),
    Candidate("keys:forgotten", "and the old one is no longer published"),
    Candidate("require:consent", "asks for consent"), Candidate("require:mfa", "asks for a second factor"),
    Candidate("require:device", "asks for a registered device"),
    Candidate("2", "a broker's method answers status 2 (at broker:METHOD)"),
  ]
}
