import SSOCore
import SSOReference

extension Trace {
  /// The verdict on a call or a recording that failed, or `nil` if it did not.
  package var verdict: Verdict? {
    guard let outcome, outcome.verdict == .failed else { return nil }
    if let refusal = unknownRefusal {
      return Verdict(
        .seen, cause: refusal.result, meaning: refusal.checks.first?.found ?? outcome.summary,
        place: place { $0 == refusal }, call: summary.id)
    }
    // The class of an exception says less than its code, even if the code is not in a table.
    guard let cause = explanations.first, !(cause.isClassName && unknownCode != nil) else {
      let errors = hops.filter { $0.action == "report an error" && !$0.result.isEmpty }
      // An exception inside another one is closer to the cause.
      let named = errors.last { $0.isInside } ?? errors.first
      let words = unknownCode ?? named?.result ?? reported
      let subject = words.flatMap { SentenceSubject(of: $0) }
      return Verdict(
        .unknown, cause: words, meaning: subject?.meaning ?? outcome.summary,
        remedy: outcome.next ?? subject?.remedy,
        place: place { hop in
          named.map { $0 == hop } ?? hop.checks.contains { $0.verdict == .failed }
            || hop.action == "report an error"
        },
        call: summary.id)
    }
    if let (hop, words) = description(of: cause) {
      let writer = cause.family == .identityCore ? "SDK" : "provider"
      return Verdict(
        .seen, cause: words, meaning: "These are the \(writer)'s words; \(cause.code) alone has many causes.",
        remedy: SentenceSubject(of: String(words.dropFirst(cause.code.count)))?.remedy ?? outcome.next,
        place: place { $0 == hop },
        call: summary.id)
    }
    if let words = words(of: cause) ?? reason(behind: cause) {
      // The advice for a code that fits any failure need not fit the sentence after it.
      let subject = SentenceSubject(of: words)
      return Verdict(
        .unknown, cause: words, meaning: subject?.meaning ?? outcome.summary,
        remedy: cause.isOuter ? subject?.remedy : outcome.next,
        place: place { $0.action == "report an error" }, call: summary.id)
    }
    let sent = hops.flatMap { $0.sent.map(\.value) }
    let quotation = cause.family == .message ? refusal(of: cause) ?? quotation(of: cause, in: sent) : nil
    let isThere = sent.contains { $0.lowercased().contains(cause.code.lowercased()) }
    let certainty: Verdict.Certainty =
      cause.isGeneral ? .general : quotation != nil || isThere || cause.isNumber ? .seen : .inferred
    return Verdict(
      certainty, cause: quotation ?? cause.code, meaning: cause.meaning, remedy: cause.remedy,
      place: place { hop in
        (hop.sent.map(\.value) + [hop.result]).contains {
          Explanation.find(in: $0).contains { $0.code == cause.code }
        }
      },
      call: summary.id)
  }

  /// Returns the first hop with a description of a code that has many causes, and the code with the description, or `nil`
  /// if the code has one cause, or if the text does not describe it.
  private func description(of cause: Explanation) -> (hop: Hop, words: String)? {
    let mark = cause.code + ": "
    if cause.family == .oauth {
      // Behind the domain and the number of an SDK, or alone.
      return hops.lazy.compactMap { hop in
        hop.result.firstRange(of: mark).map { (hop, String(hop.result[$0.lowerBound...])) }
      }.first
    }
    guard cause.isDescribed else { return nil }
    for hop in hops {
      for text in hop.checks.map(\.found) + hop.sent.map(\.value) {
        // IdentityCore: `MSIDErrorDescriptionKey=No lamp}`.
        guard let start = [mark, "ErrorDescriptionKey="].lazy.compactMap({ text.firstRange(of: $0) }).first
        else { continue }
        let sentence = FailureLine.cut(String(text[start.upperBound...].prefix { $0 != "}" }))
        if sentence.split(separator: " ").count > 2 { return (hop, mark + sentence) }
      }
    }
    return nil
  }

  /// The hop in which the provider refused with a number that is not in a table, or `nil` if there is no such hop.
  ///
  /// A known number beside it would say what is wrong.
  private var unknownRefusal: Hop? {
    guard !explanations.contains(where: { $0.family == .aadsts || $0.family == .b2c }) else { return nil }
    return hops.first { $0.result.hasPrefix("AADSTS") && Explanation.find(in: $0.result).isEmpty }
  }

  /// Returns the word and the description of an OAuth error, which the text may have in any order, if both together are a
  /// known message, or `nil` if they are not.
  private func refusal(of message: Explanation) -> String? {
    guard OAuthRefusal.word(in: message.code) != nil else { return nil }
    return hops.contains { $0.result.lowercased().hasPrefix(message.code.lowercased()) } ? message.code : nil
  }

  /// Returns the words that stand for a message in the text as it is, or `nil` if they are not in the lines of the hops.
  private func quotation(of message: Explanation, in sent: [String]) -> String? {
    // `error_description="The lamp` begins with the name of a field.
    func words(_ text: String) -> String {
      let field = "error_description=\""
      return text.hasPrefix(field) ? String(text.dropFirst(field.count)) : text
    }
    for text in sent where text.contains(message.code) { return whole(words(message.code), in: text) }
    return sent.lazy.compactMap { text in
      Explanation.matches(in: text).first { $0.explanation.code == message.code }.map {
        whole(words($0.quotation), in: text)
      }
    }.first
  }

  /// Returns the sentence that begins with a quotation which ends before or within a value in quotes, and any other quotation
  /// as it is: `One or more lamps in` of `One or more lamps in 'a/b' are out`.
  private func whole(_ quotation: String, in text: String) -> String {
    guard let place = text.firstRange(of: quotation) else { return quotation }
    let rest = text[place.upperBound...]
    let isWithin = rest.hasPrefix(" '") || rest.prefix(60).contains(" because \"")
    guard isWithin || FailureLine.isQuoted(place.upperBound, in: text[place.lowerBound...]) else {
      return quotation
    }
    let sentence = FailureLine.cut(String(text[place.lowerBound...]), isShort: false)
    return sentence.hasPrefix(quotation) && sentence.utf8.count <= 240 ? sentence : quotation
  }

  /// Returns the sentence after the name of an exception or after a sentence that only introduces a reason, or `nil` if
  /// the cause is neither, or if no sentence follows.
  private func words(of cause: Explanation) -> String? {
    let marks =
      cause.isClassName
      ? [": "]
      : cause.isFollowedByReason
        ? [". Here is the traceback: ", ": ", ". "]
        : cause.code == "authentication_failed" ? [". Description: "] : []
    for value in hops.flatMap(\.sent).map(\.value) {
      if cause.beginsChain, let start = value.firstRange(of: cause.code)?.upperBound,
        let last = PrintedError.sentence(in: String(value[start...]), after: [": "])
      {
        return last
      }
      guard let mark = marks.first(where: { value.contains(cause.code + $0) }) else { continue }
      // The class alone says less than a long sentence, such as Java's about a null reference.
      if let sentence = PrintedError.sentence(in: value, after: [cause.code + mark], longest: 400)
        ?? PrintedError.missingKey(in: value, after: cause.code + mark)
      {
        return sentence
      }
    }
    return nil
  }

  /// Returns the sentence with which the line of a code that fits any failure says why, or `nil` if the code says more
  /// than that, or if there is no such sentence: `PlatformException(lamp_failed, The lamp is out, null, null)`.
  ///
  /// A code that only wraps another error yields to the answer of a server in its line.
  private func reason(behind cause: Explanation) -> String? {
    guard !cause.isClassName, [.message, .library, .windows].contains(cause.family) else { return nil }
    if cause.pointsAbove, let sentence = failure(around: cause) { return sentence }
    if cause.pointsToText, let sentence = sentence(beside: cause) { return sentence }
    guard cause.isOuter else { return nil }
    let texts = hops.lazy.flatMap(\.sent).map(\.value)
    guard cause.isGeneral else {
      return texts.filter { Explanation.find(in: $0).contains { $0.code == cause.code } }
        .compactMap(FailureLine.answer).first
    }
    return texts.map(FailureLine.firstRecord).filter { $0.contains(cause.code) }.compactMap { text in
      FailureLine.reason(behind: cause.code, in: text) ?? marked(in: text, beside: cause)
    }.first
  }

  /// Returns the sentence of an exception, a field, or a word such as `error:` in a text with a code, or `nil` if there is none.
  private func marked(in text: String, beside cause: Explanation) -> String? {
    FailureLine(text).flatMap { failure in
      failure.form >= .marked && failure.sentence.contains(" ")
        && !FailureLine.isGeneral(failure.sentence)
        && !cause.code.contains(failure.sentence)
        // `Cannot light the lamp: bad_lamp` ends with the inner of both.
        && !text.contains(failure.sentence + ": " + cause.code)
        && !Explanation.find(in: failure.sentence).contains { $0.code == cause.code }
        ? failure.sentence : nil
    }
  }

  /// Returns the failure before or behind a code that points to the lines above it: a terminal may show the lines of two programs
  /// in any order.
  private func failure(around cause: Explanation) -> String? {
    for text in hops.flatMap(\.sent).map(\.value) {
      guard let mark = text.firstRange(of: cause.code) else { continue }
      let (before, behind) = (
        String(text[..<mark.lowerBound]), text[mark.upperBound...].drop { !$0.isLetter }
      )
      for part in (before.contains("ERROR: ") ? [before] : []) + [String(behind)] {
        guard let found = FailureLine(part), found.form >= .marked, found.sentence.contains(" "),
          !cause.code.contains(found.sentence)
        else { continue }
        return found.sentence
      }
    }
    return nil
  }

  /// Returns the sentence with which the text says what a code stands for whose table only says to read it, or `nil` if there is
  /// none: `[LAMP_ERROR] the request to the lamp timed out`.
  private func sentence(beside cause: Explanation) -> String? {
    hops.lazy.flatMap(\.sent).map { FailureLine.firstRecord(of: $0.value) }.compactMap { text in
      guard let match = Explanation.matches(in: text).first(where: { $0.explanation.code == cause.code })
      else { return nil }
      let behind = String(decoding: text.utf8.dropFirst(match.place.upperBound), as: UTF8.self)
      if let message = FailureLine.message(ofSAML: behind) { return message }
      if let sentence = marked(in: text, beside: cause) { return sentence }
      var sentence = FailureLine.lastPart(of: String(behind.drop { !$0.isLetter }))
      // Auth.js prints the address of its page on the error below it.
      if let page = sentence.ranges(of: " https://").last, sentence[page.upperBound...].contains("error") {
        sentence = String(sentence[..<page.lowerBound])
      }
      return sentence.split(separator: " ").count > 2 && FailureLine.saysFailure(sentence)
        && !FailureLine.isGeneral(sentence) && !FailureLine.isRedacted(sentence) ? sentence : nil
    }.first
  }

  /// The sentence of the first error that the app or a tool reports, if the text says that it is one.
  private var reported: String? {
    hops.lazy.filter { $0.action == "report an error" }.flatMap(\.sent).compactMap { sent in
      PrintedError.sentence(
        in: sent.value,
        after: ["Error: ", "error: ", "ERROR: ", "Exception: ", "failed: ", "fatal: ", "due to: "])
    }.first
  }

  /// The code of the error that the app received, if it looks like one and no table has it.
  private var unknownCode: String? {
    hops.lazy.filter { $0.to == .app }.map(\.result).first { result in
      result.contains("_") && !result.contains(" ") && Explanation.find(in: result).isEmpty
    }
  }

  /// Returns the line of the first hop that satisfies a condition; in a record of several lines, the line that has the
  /// code.
  private func place(_ isMeant: (Hop) -> Bool) -> String {
    let name = hops.first(where: isMeant)?.sent.last?.name ?? ""
    return name.hasPrefix("line ") ? String(name.prefix { $0 != "," }) : ""
  }
}

extension Hop {
  /// Whether the hop is an exception inside the one in the line before it.
  fileprivate var isInside: Bool {
    let text = sent.first?.value.trimmed ?? ""
    return ["---> ", "Caused by: ", "[cause]: "].contains(where: text.hasPrefix)
  }
}

extension Explanation {
  /// Whether the code is a number, which a sentence cannot represent.
  fileprivate var isNumber: Bool {
    code.contains { $0.isNumber } && !code.contains(" ") && family != .library
  }
}

extension LogReading {
  /// The verdict on the first call whose cause is known, or `nil` if the calls succeeded.
  ///
  /// A silent call that requires user interaction is followed by an interactive one, whose failure says more.
  package var verdict: Verdict? {
    var best: Verdict?
    for verdict in traces.lazy.compactMap(\.verdict) {
      // No later verdict can be better, and a log may contain a million calls.
      if verdict.order == 0 { return verdict }
      if best.map({ verdict.order < $0.order }) ?? true { best = verdict }
    }
    return best
  }
}

extension Verdict {
  fileprivate var order: Int {
    switch certainty {
    // What stands above the error says more, even if no table has it.
    case .seen, .inferred: pointsAbove ? 4 : asksForPerson || isOuter ? 1 : 0
    case .general: pointsAbove ? 4 : 2
    case .unknown, .notFilledIn, .nothingFound, .notVisible: 3
    }
  }

  /// Whether the cause is one beside which another cause says more.
  private var isOuter: Bool { explanation?.isOuter ?? false }

  /// Whether all advice on the cause is to read what stands above it.
  var pointsAbove: Bool { explanation?.pointsAbove ?? false }

  private var explanation: Explanation? {
    cause.map { Explanation.find(in: $0) }?.first { $0.code == cause }
  }

  /// Whether the cause is one with which a silent call asks for an interactive one, or a poll to wait; for a sentence, its
  /// words in the text.
  private var asksForPerson: Bool {
    guard let cause else { return false }
    return Self.needsPerson.contains(cause)
      || Explanation.find(in: cause).contains { Self.needsPerson.contains($0.code) || $0.isOfPolling }
  }

  /// The codes with which a silent call asks for an interactive one, or a poll to wait for the user.
  private static let needsPerson: Set = [
    MSALCode.interactionRequired.text, "no_tokens_found", "no_account_found", "no_current_account",
    "no_account_error", "no_account_in_silent_request", "user_null", "interaction_required", "login_required",
    "Interactive authentication is needed", "Failed to acquire token silently", AADSTSCode.noSession.text,
    "No accounts were found in the cache", "Token not found in the cache", "Status_InteractionRequired",
  ]
}
