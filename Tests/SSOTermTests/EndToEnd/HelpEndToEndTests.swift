import Testing

@testable import SSOTerm

@Suite("The help and the manual are in the program") struct HelpEndToEndTests {
  let folder: Folder

  init() throws { folder = try Folder() }

  @Test(arguments: [["help"], ["--help"], ["-h"]])
  func theFirstScreenIsPrinted(_ words: [String]) throws {
    let run = try Program.run(words, in: folder)
    #expect(run.status == .exit(0) && run.err.isEmpty && run.out == HelpScreen.first + "\n")
  }

  @Test(arguments: [
    (["help", "token", "forge"], ["token", "forge", "--help"]), (["help", "serve"], ["serve", "--help"]),
    (["help", "demo"], ["demo", "--help"]), (["help", "help"], ["help", "--help"]),
  ])
  func helpBeforeACommandIsItsHelp(_ before: [String], _ after: [String]) throws {
    let (help, option) = (try Program.run(before, in: folder), try Program.run(after, in: folder))
    #expect(help.status == .exit(0) && help.out == option.out, "\(help.out)\(option.out)")
    #expect(help.out.contains("USAGE: ssoterm " + after.dropLast().joined(separator: " ")))
  }

  @Test func theTranscriptInTheReadmeIsWhatTheProgramPrints() throws {
    let readme = try Program.shell("cat \(Program.repository)/README.md", in: folder).out
    let lines = readme.split(separator: "\n")
    let start = try #require(lines.firstIndex { $0.hasPrefix("    $ ssoterm ") })
    let transcript = lines[start...].prefix { $0.hasPrefix("    ") }.map { String($0.dropFirst(4)) }
    let run = try Program.shell("cd \(Program.repository); \(transcript[0].dropFirst(2))", in: folder)
    #expect(
      transcript.count == 7 && run.out == transcript.dropFirst().joined(separator: "\n") + "\n", "\(run.out)")
  }

  /// Neither bash-completion nor anything else is installed for this bash.
  @Test(arguments: [
    ("sile", "silent"), ("scenario sh", "show"), ("completion f", "fish"),
    ("demo two-ven", "two-vendors"), ("silent --force", "--force-refresh"),
  ])
  func bashCompletesWithNothingElseInstalled(_ line: String, _ completion: String) throws {
    let words = "ssoterm \(line)"
    try folder.write(
      """
      ssoterm() { \(Program.path) "$@"; }
      source <(ssoterm completion bash)
      COMP_LINE='\(words)'; COMP_POINT=${#COMP_LINE}; COMP_WORDS=($COMP_LINE); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
      COMP_TYPE=9; COMP_KEY=9
      complete -p ssoterm | sed 's/.*-F \\([^ ]*\\).*/\\1/' > function
      "$(cat function)" ssoterm "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
      printf '%s\\n' "${COMPREPLY[@]}"
      """, to: "complete.bash")
    let run = try Program.shell("bash --noprofile --norc complete.bash", in: folder)
    let found = run.out.split(separator: "\n").map { $0.filter { $0 != " " } }
    #expect(found.contains(completion), "\(run.out)\(run.err)")
  }
}
