import ArgumentParser
import SSOLab

/// `ssoterm completion SHELL`: the script that a shell needs to complete commands, options, and names.
struct CompletionCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "completion", "Print completions for bash, zsh, or fish.",
    examples: [
      "ssoterm completion bash > ~/.local/share/bash-completion/completions/ssoterm",
      "ssoterm completion zsh > ~/.zsh/completions/_ssoterm",
      "ssoterm completion fish > ~/.config/fish/completions/ssoterm.fish",
    ])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Argument(help: "bash, zsh, or fish.", completion: .list(Self.shells))
  var shell: String

  private static var shells: [String] { CompletionShell.allCases.map(\.rawValue) }

  func perform(on console: Console) throws -> ExitStatus {
    guard let shell = CompletionShell(rawValue: shell) else {
      throw CommandFailure(
        usage: "Unsupported shell “\(shell)”.", why: "expected bash, zsh, or fish",
        next: "ssoterm completion \(nearestName(to: shell, among: Self.shells) ?? "bash")")
    }
    console.print(SSOTermCommand.completionScript(for: shell))
    return .done
  }
}
