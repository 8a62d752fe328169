import SSOCore
import SSOReference

/// A crash that a text reports in the form of a system, a debugger, or a service that collects crashes: the exception, its
/// reason, and the frames of the thread (docs/behaviour/real-logs.md §2).
///
/// A crash does not have a code that names the cause, so the exception, what it says, and the first frame outside the system
/// are what there is to know of it.
struct CrashReport: Hashable, Sendable {
  /// The exception or the signal, and the reason in its words.
  private var exception: String?
  private var reason: String?
  /// The file and line that the run time of Swift names.
  private var place: String?
  private var frames: [Frame] = []
  /// Whether an exception of Objective-C was thrown, which only the frames tell.
  private var isThrown = false
  /// Whether a line names the thread that crashed.
  private var isCrashed = false
  /// The index of the line that tells the crash.
  private var line: Int?
  private var isReasonNext = false
  private var isInformation = false
  private var isOtherThread = false

  /// A function of the stack of the thread that crashed.
  fileprivate struct Frame: Hashable {
    var image: String?
    var symbol: String
    var place: String?
  }

  /// Reads the crash in some lines, or returns `nil` if they do not report one.
  init?(_ lines: [String]) {
    for (index, text) in lines.enumerated() {
      add(text.trimming { " \t\r>`*│|".unicodeScalars.contains($0) }, index)
    }
    guard exception != nil || (isThrown || isCrashed) && !frames.isEmpty else { return nil }
  }

  /// The index of the line that names the exception, or of the first frame.
  var index: Int { line ?? 0 }

  /// The exception, its reason, and the first function outside the system, with the app's own function that called it.
  var sentence: String {
    var text = exception ?? (isThrown ? "An exception of Objective-C" : "A crash")
    if let reason { text += ": " + reason }
    let own = frames.indices.filter { !frames[$0].isOfSystem }
    guard let first = own.first else { return text + (place.map { ", at \($0)" } ?? "") }
    text += ", in " + frames[first].name
    if let place = frames[first].place ?? place { text += " (\(place))" }
    // A library's image is not the app's.
    if let image = frames[first].image, frames[first].isOfSignIn,
      let caller = own.first(where: { frames[$0].image.map { $0 != image } ?? false })
    {
      text += ", called by " + frames[caller].name
    }
    return text
  }

  /// Whether a function of the stack belongs to a library that signs users in.
  var isOfSignIn: Bool { frames.contains(where: \.isOfSignIn) }

  /// Whether the reason is missing, which the lines above or below a stack have.
  var lacksReason: Bool { reason == nil && exception.map { !$0.contains("0x") } ?? true }

  /// Returns what the frames of a sign-in library tell of an exception whose first line is not in a text, and the index of the
  /// first frame, or `nil` if there are no such frames: `at com.microsoft.lamp.Lamp.light(Lamp.java:39)`.
  static func headless(in lines: [String]) -> (index: Int, sentence: String)? {
    if let index = lines.firstIndex(where: isMethod) {
      return (index, "A crash, in " + Frame(symbol: lines[index].trimmed).name)
    }
    let frames = lines.indices.filter { index in
      let text = lines[index].trimmed
      return text.hasPrefix("at ") && text.contains("(") && PrintedError.namesLibrary(text)
    }
    guard frames.count > 1, let first = frames.first else { return nil }
    // A line that no other rule takes, as its program forgot to fill in a value: `Error: the lamp %s is out`.
    if first > 0, lines[first - 1].hasPrefix("Error: ") {
      return (first - 1, FailureLine.cut(String(lines[first - 1].dropFirst(7))))
    }
    let function = lines[first].trimmed.dropFirst(3).prefix { $0 != "(" }
    return (first, "an exception in \(function), whose first line is not in the text")
  }

  /// Returns whether a line is only a frame in a method of a sign-in library: `-[OIDLamp light:] + 1680 (OIDLamp.m:3)`.
  private static func isMethod(_ line: String) -> Bool {
    let text = line.trimmed
    guard text.hasPrefix("-[") || text.hasPrefix("+["), let end = text.firstRange(of: "] + ") else {
      return false
    }
    return text[end.upperBound...].first?.isNumber == true && Frame(symbol: text).isOfSignIn
  }

  // MARK: - Lines

  private mutating func add(_ text: String, _ index: Int) {
    if takeException(text) {
      line = index
      return
    }
    if isReasonNext, !text.isEmpty {
      isReasonNext = false
      if Frame(text) == nil, reason == nil, text.contains(" ") { reason = FailureLine.cut(text) }
    }
    if isInformation, text.split(separator: " ").count > 2, reason == nil {
      reason = FailureLine.cut(text)
    }
    if text.isEmpty { isInformation = false }
    if text.hasPrefix("Application Specific Information:") { isInformation = true }
    if text.hasPrefix("File: "), place == nil, text.contains(", line ") {
      place = text.dropFirst(6).replacing(", line ", with: ":")
    }
    // Crashlytics names the queue: `Crashed: com.apple.main-thread`.
    if text.hasPrefix("Thread ") && (text.hasSuffix(":") || text.contains(" Crashed"))
      || text.hasPrefix("Crashed: ")
    {
      isOtherThread = !text.contains("Crashed")
      if !isOtherThread {
        (frames, isCrashed) = ([], true)
        if line == nil { line = index }
      }
    }
    guard !isOtherThread, frames.count < 60 else { return }
    let found = Frame(text).map { [$0] } ?? Frame.ofJSON(text)
    guard !found.isEmpty else { return }
    if found.contains(where: { $0.symbol.hasPrefix("objc_exception_throw") }) {
      isThrown = true
      if line == nil { line = index }
    }
    frames += found
  }

  /// Takes the exception or the signal in a line, and returns whether the line says more than the lines before it.
  private mutating func takeException(_ text: String) -> Bool {
    if let mark = text.firstRange(of: "uncaught exception '"),
      let end = text[mark.upperBound...].firstIndex(of: "'")
    {
      exception = String(text[mark.upperBound..<end])
      if let start = text.firstRange(of: "reason: '") {
        let rest = text[start.upperBound...]
        reason = FailureLine.cut(String(rest.lastIndex(of: "'").map { rest[..<$0] } ?? rest), isShort: false)
      }
      return true
    }
    if let told = Self.ofSwift(text) {
      guard reason == nil else { return false }
      (exception, reason, place) = ("Fatal error", told.reason, told.place ?? place)
      return true
    }
    guard exception == nil else { return false }
    if text.hasPrefix("Fatal Exception: ") {
      let name = text.dropFirst(17)
      guard !name.isEmpty, name.allSatisfy({ $0.isLetter || $0.isNumber }) else { return false }
      exception = String(name)
      isReasonNext = true
      return true
    }
    exception = Self.signal(in: text)
    return exception != nil
  }

  /// Returns the sentence of Swift's run time and the place that it names: `Fatal error: No lamp: file Lamp.swift, line 3`, or
  /// `nil` for any other line.
  private static func ofSwift(_ text: String) -> (reason: String, place: String?)? {
    let mark = "Fatal error: "
    let isMarked =
      text.hasPrefix(mark) || text.hasPrefix("Thread ") && text.contains(": " + mark)
      || text.contains(".swift:") && text.contains(": " + mark)
    guard isMarked || text.hasPrefix("Unexpectedly found nil while ") else { return nil }
    var rest = text[...]
    if isMarked, let start = text.firstRange(of: mark) { rest = text[start.upperBound...] }
    // PHP's begins with the same words.
    guard !rest.hasPrefix("Uncaught "), !text.contains(".php") else { return nil }
    var place: String?
    if let file = rest.firstRange(of: ": file ") {
      place = String(rest[file.upperBound...]).replacing(", line ", with: ":")
      rest = rest[..<file.lowerBound]
    } else if isMarked, let start = text.firstRange(of: ": " + mark), text.contains(".swift:") {
      place = text[..<start.lowerBound].split(whereSeparator: { " /".contains($0) }).last.map(String.init)
    }
    let sentence = FailureLine.cut(String(rest))
    return sentence.contains(" ") ? (sentence, place) : nil
  }

  /// Returns the exception of the kernel or the signal that a line names, with its address, or `nil` if it does not name one.
  private static func signal(in text: String) -> String? {
    if let mark = text.firstRange(of: "\"type\":\"EXC_") ?? text.firstRange(of: "\"type\" : \"EXC_") {
      let type = "EXC_" + text[mark.upperBound...].prefix { $0 != "\"" }
      let signal = text.firstRange(of: "\"signal\":\"").map { text[$0.upperBound...].prefix { $0 != "\"" } }
      return type + (signal.map { " (\($0))" } ?? "")
    }
    if let mark = text.firstRange(of: "atal signal ") {
      let rest = text[mark.upperBound...]
      guard let open = rest.firstRange(of: "(SIG"), let close = rest[open.upperBound...].firstIndex(of: ")")
      else { return nil }
      let name = "SIG" + rest[open.upperBound..<close]
      let address = rest.firstRange(of: "fault addr ").map { rest[$0.upperBound...].prefix { $0 != " " } }
      return name + (address.map { " at \($0)" } ?? "")
    }
    // launchd: `Service exited due to SIGABRT`
    if let mark = text.firstRange(of: "exited due to SIG") {
      return "SIG" + text[mark.upperBound...].prefix { $0.isUppercase }
    }
    guard let start = text.firstRange(of: "EXC_") else { return nil }
    let before = text[..<start.lowerBound].trimmed
    let isAlone =
      before.isEmpty || before.hasSuffix("Exception Type:") || before.hasSuffix("stop reason =")
      || before.hasPrefix("Thread ") && before.hasSuffix(":")
    guard isAlone else { return nil }
    let words = text[start.lowerBound...].replacing(" error", with: "")
    return words.count <= 90 ? words : String(words.prefix { $0.isUppercase || $0 == "_" })
  }
}

extension CrashReport.Frame {
  /// Reads a frame as Apple's systems, Crashlytics, LLDB, and Swift print it, or returns `nil` for any other line.
  fileprivate init?(_ text: String) {
    if let mark = text.firstRange(of: "frame #"), let end = text.firstIndex(of: "`"), mark.lowerBound < end {
      let image = text[..<end].split(separator: " ").last.map(String.init)
      self.init(image: image, text[end...].dropFirst())
      return
    }
    let words = text.split { $0 == " " || $0 == "\t" }
    if words.first?.allSatisfy(\.isNumber) == true, words.count > 3,
      let address = words.firstIndex(where: { $0.hasPrefix("0x") && $0.dropFirst(2).allSatisfy(\.isHexDigit) }
      ),
      address > 1, address + 1 < words.count
    {
      self.init(
        image: words[1..<address].joined(separator: " "), words[(address + 1)...].joined(separator: " ")[...])
      return
    }
    // `at Lamp.light(wick:) (Lamp.swift:3)`
    if text.hasPrefix("at "), text.hasSuffix(")"), text.contains(".swift:"),
      let open = text.firstRange(of: " (")
    {
      self.init(
        image: nil, symbol: String(text[..<open.lowerBound].dropFirst(3)),
        place: String(text[open.upperBound...].dropLast()))
      return
    }
    return nil
  }

  /// Creates a frame from a line that has only the symbol.
  fileprivate init(symbol: String) { self.init(image: nil, symbol[...]) }

  /// Creates a frame from the symbol with what stands behind it: `-[Lamp light] + 93 (Lamp.m:93)`.
  private init(image: String?, _ text: Substring) {
    var symbol = text
    var place: String?
    if symbol.hasSuffix(")"), let open = symbol.ranges(of: " (").last,
      symbol[open.upperBound...].contains(".")
    {
      place = String(symbol[open.upperBound...].dropLast())
      symbol = symbol[..<open.lowerBound]
    } else if let mark = symbol.ranges(of: " at ").last {
      place = String(symbol[mark.upperBound...])
      symbol = symbol[..<mark.lowerBound]
    }
    if let offset = symbol.ranges(of: " + ").last { symbol = symbol[..<offset.lowerBound] }
    self.init(image: image, symbol: symbol.trimmed, place: place)
  }

  /// Returns the frames in a line of an `.ips` file: `{"symbol":"-[Lamp light]","sourceFile":"Lamp.m","sourceLine":3}`.
  fileprivate static func ofJSON(_ text: String) -> [Self] {
    guard text.contains("\"symbol\"") else { return [] }
    return text.split(separator: "{").compactMap { part in
      func value(_ key: String) -> String? {
        guard let mark = part.firstRange(of: "\"\(key)\":") else { return nil }
        let rest = part[mark.upperBound...].drop { " \"".contains($0) }
        return String(rest.prefix { !"\",}".contains($0) })
      }
      guard let symbol = value("symbol") else { return nil }
      let place = value("sourceFile").flatMap { file in value("sourceLine").map { file + ":" + $0 } }
      return Self(image: nil, symbol: symbol, place: place)
    }
  }

  /// The symbol as shown, of which the name of the block is the compiler's.
  fileprivate var name: String {
    guard symbol.hasPrefix("__"), let end = symbol.firstRange(of: "_block_invoke"),
      let start = symbol.firstIndex(where: { "-+".contains($0) }), start < end.lowerBound
    else { return symbol }
    return String(symbol[start..<end.lowerBound])
  }

  fileprivate var isOfSystem: Bool {
    if let image, CrashReport.systemImages.contains(where: image.hasPrefix) { return true }
    return CrashReport.systemSymbols.contains(where: symbol.hasPrefix)
  }

  fileprivate var isOfSignIn: Bool {
    CrashReport.classes.contains { symbol.contains($0) || image?.hasPrefix($0) == true }
      || PrintedError.namesLibrary(symbol)
  }
}

extension CrashReport {
  /// The beginnings of the names of Apple's libraries, and of the functions through which every exception goes.
  fileprivate static let systemImages = WordList.named("CrashReport.systemImages")
  fileprivate static let systemSymbols = WordList.named("CrashReport.systemSymbols")
  /// The prefixes of the classes of libraries that sign users in.
  fileprivate static let classes = WordList.named("CrashReport.classes")
}
