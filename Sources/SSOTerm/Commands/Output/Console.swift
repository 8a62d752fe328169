/// Where a command's results and complaints go, and how they look.
struct Console: Sendable {
  var json = false
  var unmask = false
  var quiet = false
  var plain = false
  var ink = Ink()
  let troubles = Troubles()
  /// `--no-color` or `NO_COLOR`.
  private(set) var refusesColour = false
  /// Asked for, or a locale that was set says that the terminal takes no UTF-8.
  ///
  /// Without any locale the screens try UTF-8, as terminals do.
  private(set) var wantsASCII = false

  init(json: Bool) { self.json = json }

  init(_ options: GlobalOptions) {
    let tty = StandardStreams.isTerminal(StandardStreams.output)
    let forced = StandardStreams.variable("CLICOLOR_FORCE").map { $0 != "0" } ?? false
    let refused = options.noColor || StandardStreams.variable("NO_COLOR") != nil
    let asked = options.ascii || StandardStreams.variable("SSOTERM_ASCII") != nil
    refusesColour = refused
    wantsASCII = asked || Self.locale != nil && !Self.isUTF8
    json = options.json
    unmask = options.unmask
    quiet = options.quiet
    plain = options.plain || StandardStreams.variable("SSOTERM_PLAIN") != nil
    ink.colour = !refused && (forced || tty && !Self.isDumb)
    ink.ascii = asked || tty && !Self.isUTF8
    ink.layout = tty ? StandardStreams.terminalWidth().map { .fitted($0) } ?? .aligned : .tabs
  }

  private static var isDumb: Bool { (StandardStreams.variable("TERM") ?? "dumb") == "dumb" }

  private static var locale: String? {
    ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(StandardStreams.variable).first
  }

  /// What the locale says about the bytes a terminal takes; unset means C.
  private static var isUTF8: Bool {
    let name = (locale ?? "C").lowercased()
    return name.hasSuffix("utf-8") || name.hasSuffix("utf8")
  }

  /// Screens need a terminal that can place the cursor, and a person in front of it.
  var canShowScreens: Bool {
    !plain && !json && !Self.isDumb && StandardStreams.isTerminal(StandardStreams.output)
      && ControllingTerminal.isThere
  }

  /// The picker draws on `/dev/tty`, so stdout may be a pipe.
  var canPickOnScreen: Bool { !plain && !Self.isDumb && ControllingTerminal.isThere }

  /// A result: the JSON document or the text.
  @discardableResult
  func show(
    _ document: @autoclosure () throws -> JSONValue, text: () throws -> String
  ) throws -> ExitStatus {
    let output = try json ? document().text(.document) : text()
    if !output.isEmpty { print(output) }
    return .done
  }

  /// After the first text that the system did not take no other is tried; the command then ends with what it said.
  func print(_ text: String, terminator: String = "\n") {
    guard troubles.output == nil else { return }
    do throws(SystemError) { try StandardStreams.write(text + terminator, to: StandardStreams.output) } catch
    {
      troubles.add(output: error)
    }
  }

  /// Something worth knowing that is not the result.
  func note(_ text: String) { if !quiet { complain("ssoterm: " + safe(text)) } }

  /// A failure: three lines on stderr, and for scripts an object on stdout.
  func report(_ failure: CommandFailure) {
    complain(failure.text)
    if json { print(JSONValue.object(["error": failure.json]).text(.document)) }
  }

  /// A line on stderr.
  ///
  /// If there is none, it is dropped.
  func complain(_ text: String) { try? StandardStreams.write(text + "\n", to: StandardStreams.error) }
}
