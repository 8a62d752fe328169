import Essentials
import SSOCore
import SSODoctor
import SSOTermApp
import SafeText

/// `ssoterm doctor --fix`: shows each change that mends a finding, and makes it if the user says yes.
///
/// The old text stays in `FILE.orig`, unless the file is in a working tree of git.
struct DoctorFix {
  let dialogue: PlainDialogue
  let judge: () throws -> Diagnosis

  /// Proposes the changes one after another, and judges again after each, because one change may mend several findings.
  ///
  /// Returns the final diagnosis.
  func run() throws -> Diagnosis {
    var declined: [String: Set<String>] = [:]
    while true {
      let diagnosis = try judge()
      let repair = diagnosis.findings.lazy.compactMap(Repair.init).first {
        !declined[$0.path, default: []].contains($0.after)
      }
      guard let repair else { return diagnosis }
      dialogue.line("\(repair.finding.title) (\(repair.finding.rule.name))")
      dialogue.line(repair.path)
      for line in repair.difference { dialogue.line(line) }
      if dialogue.confirm("Make this change?") {
        try make(repair)
      } else {
        declined[repair.path, default: []].insert(repair.after)
      }
    }
  }

  private func make(_ repair: Repair) throws {
    do throws(SystemError) {
      let copy = repair.path + ".orig"
      if !Self.isInWorkingTree(repair.path), !ProjectFiles.exists(copy) {
        try writeFile(Data(repair.before.utf8), to: copy)
      }
      try writeFile(Data(repair.after.utf8), to: repair.path)
    } catch {
      throw CommandFailure(
        status: .usage, kind: "badInput", what: "\(repair.path) cannot be changed.", why: error.displayText,
        next: "ssoterm doctor \(shellWord(repair.path))")
    }
  }

  /// Returns whether git keeps the old text of a file.
  static func isInWorkingTree(_ path: String) -> Bool {
    var place = folder(of: absolutePath(path))
    while place != "/" {
      if ProjectFiles.exists(place + "/.git") { return true }
      place = folder(of: place)
    }
    return false
  }
}
