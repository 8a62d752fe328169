import Testing

/// Sessions with `ssoterm completion`.
@Suite struct CompletionCommandTests {
  @Test func completionsAreForThreeShells() throws {
    try transcript(
      after: .nothing,
      """
      $ ssoterm completion bash | head -n 3
      #!/bin/bash

      __ssoterm_cursor_index_in_current_word() {
      $ ssoterm completion zsh | head -n 3
      #compdef ssoterm

      __ssoterm_complete() {
      $ ssoterm completion fish | head -n 3
      function __ssoterm_should_offer_completions_for_flags_or_options -a expected_commands
          set -l non_repeating_flags_or_options $argv[2..]
          set -l non_repeating_flags_or_options_absent 0
      $ ssoterm completion bashx
      ! ssoterm: Unsupported shell “bashx”: expected bash, zsh, or fish.
      !   try: ssoterm completion bash
      [2]
      """)
  }
}
