import Essentials
import SSOCore
import SSODoctor
import SSOTermApp
import SafeText

/// `ssoterm doctor --fix`: shows each change that fixes a finding, and makes it if the user says yes.
///
/// The old text is stored outside the project, because builds include the files in folders such as `res/raw`.
struct DoctorFix {
  let dialogue: PlainDialogue
  /// The folder for the old texts, each at the path of its file.
  let copies: String
  let diagnose: () throws -> Diagnosis

  /// Proposes the changes one after another, and checks again after each, because one change may fix several findings.
  ///
  /// Returns the final diagnosis.
  func run() throws -> Diagnosis {
    // The texts that are not proposed: refused texts, changes that fixed nothing, and earlier contents of a file,
    // because two changes could undo each other forever.
    var refused: [String: Set<String>] = [:]
    while true {
      let diagnosis = try diagnose()
      // Findings that may be intentional come after all mistakes, with a separate question.
      let findings =
        diagnosis.findings.filter { !$0.isQuestion } + diagnosis.findings.filter(\.isQuestion)
      let repair = findings.lazy.compactMap(Repair.init).first {
        !refused[$0.path, default: []].contains($0.after)
      }
      guard let repair else {
        sayWhatIsLeft(of: diagnosis)
        return diagnosis
      }
      show(repair)
      let question =
        repair.finding.isQuestion
        ? "The app may work as it is. Make this change too?" : "Make this change?"
      guard dialogue.confirm(question) else {
        refused[repair.path, default: []].insert(repair.after)
        continue
      }
      refused[repair.path, default: []].insert(repair.before)
      try make(repair)
      let later = try? diagnose()
      // Another build may read the same place, and need what was there.
      guard let later,
        !later.findings.contains(where: { repair.isLeft(in: $0) || repair.isCause(of: $0, after: diagnosis) })
      else {
        try write(repair.before, to: repair)
        refused[repair.path, default: []].insert(repair.after)
        dialogue.line("The change does not fix it, so the file was restored.")
        continue
      }
    }
  }

  private func show(_ repair: Repair) {
    dialogue.line("\(repair.finding.title) (\(repair.finding.rule.name))")
    dialogue.line(repair.path)
    let target = Self.resolved(repair.path)
    if (try? FileManager.default.destinationOfSymbolicLink(atPath: repair.path)) != nil {
      dialogue.line("This is a link. The file that changes is \(target)")
    }
    for line in repair.difference { dialogue.line(line.replacing("\t", with: "  ")) }
  }

  private func sayWhatIsLeft(of diagnosis: Diagnosis) {
    let left = diagnosis.findings.filter { $0.severity != .notFilledIn && Repair($0) == nil }
    guard !left.isEmpty else { return }
    dialogue.line(
      "\(counted(left.count, "finding")) cannot be fixed by --fix: you have to change "
        + (left.count == 1 ? "it." : "them."))
  }

  private func make(_ repair: Repair) throws {
    let place = copies + Self.resolved(repair.path)
    let folder = folder(of: place)
    do throws(SystemError) {
      guard
        (try? FileManager.default.createDirectory(
          atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])) != nil
      else { throw SystemError(code: errno) }
      let copy = try keep(repair.before, at: place)
      dialogue.line("The old text is in \(copy)")
    } catch {
      throw Self.failure(
        "The old text of \(repair.path) cannot be kept.", "\(folder): \(error.displayText)", repair)
    }
    try write(repair.after, to: repair)
  }

  /// Writes a file that only its owner can read, under the first free number, and returns its path.
  private func keep(_ text: String, at path: String) throws(SystemError) -> String {
    for number in 1...9_999 {
      let copy = "\(path).\(number)"
      do throws(SystemError) {
        try createFile(Data(text.utf8), at: copy)
        return copy
      } catch {
        guard error.code == EEXIST else { throw error }
      }
    }
    throw SystemError(code: EEXIST)
  }

  private func write(_ text: String, to repair: Repair) throws {
    do throws(SystemError) {
      try writeFile(Data(text.utf8), to: repair.path)
    } catch {
      throw Self.failure("\(repair.path) cannot be changed.", error.displayText, repair)
    }
  }

  private static func failure(_ what: String, _ why: String, _ repair: Repair) -> CommandFailure {
    CommandFailure(
      status: .usage, kind: "badInput", what: what, why: why,
      next: "ssoterm doctor \(shellWord(repair.path))")
  }

  /// Returns the absolute path of a file, without links.
  private static func resolved(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return absolutePath(path) }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
