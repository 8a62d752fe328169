# A Homebrew formula for the tarball of `make dist`. Not tested with Homebrew. The workflow release.yml fills in the three
# words in capitals and places the file beside the tarball.
class Ssoterm < Formula
  desc "Single sign-on between mobile apps, simulated in a terminal"
  homepage "https://github.com/REPOSITORY"
  url "https://github.com/REPOSITORY/releases/download/vVERSION/ssoterm-VERSION-linux-x86_64.tar.xz"
  sha256 "SHA256"
  license "MIT"

  depends_on arch: :x86_64
  depends_on :linux

  def install
    bin.install "bin/ssoterm"
    man1.install "share/man/man1/ssoterm.1"
    man5.install "share/man/man5/ssoterm-config.5"
    bash_completion.install "share/bash-completion/completions/ssoterm"
    zsh_completion.install "share/zsh/site-functions/_ssoterm"
    fish_completion.install "share/fish/vendor_completions.d/ssoterm.fish"
    doc.install Dir["share/doc/ssoterm/*"]
  end

  test do
    assert_equal "VERSION", shell_output("#{bin}/ssoterm --version").strip
    system bin/"ssoterm", "scenario", "run", "two-vendors"
  end
end
