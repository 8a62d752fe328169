import Crypto
import Essentials
import SafeText

/// An HTML page: no script, an inline style sheet, no external resources.
struct Document {
  let title: String
  let html: String
  /// `form-action` sources besides `'self'`: the app's redirect URI, because browsers check the redirect after a form.
  let formTargets: [String]
  /// The `frame-src` sources, which are the origins of the apps that are informed of a sign-out.
  let frameSources: [String]

  /// - Parameters:
  ///   - heading: the only heading of the page, which is also its title.
  ///   - formTargets: other origins to which a form of the page may be sent.
  ///   - frameSources: other origins that a frame of the page may show.
  ///   - refreshSeconds: the time after which the page reloads, or `nil` for never.
  ///   - next: the URL to open instead of reloading the page.
  ///   - body: the markup below the heading.
  init(
    _ heading: String, formTargets: [String] = [], frameSources: [String] = [], refreshSeconds: Int? = nil,
    next: String? = nil, _ body: Markup
  ) {
    title = heading
    self.formTargets = formTargets
    self.frameSources = frameSources
    let address: Markup? = next.map { "; url=\($0)" }
    let refresh: Markup? = refreshSeconds.map { "<meta http-equiv=\"refresh\" content=\"\($0)\(address)\">" }
    let markup = Markup.page(
      "\(heading) · SSOTerm lab", heading: "\(heading)", style: Style.markup,
      meta: "<meta name=\"robots\" content=\"noindex\">\(refresh)",
      footer: "A lab on this machine, made by <code>ssoterm serve</code>. It is not Microsoft's.", body)
    html = markup.html + "\n"
  }

  var contentSecurityPolicy: String {
    var rules = [
      "default-src 'none'", "style-src '\(Style.hash)'", "base-uri 'none'", "frame-ancestors 'none'",
    ]
    rules.append((["form-action 'self'"] + formTargets).joined(separator: " "))
    if !frameSources.isEmpty { rules.append("frame-src " + frameSources.joined(separator: " ")) }
    return rules.joined(separator: "; ")
  }
}

/// The style sheet of every page.
enum Style {
  static let markup = Markup(stringLiteral: text)

  /// The policy's source for the style sheet: the SHA-256 hash of the text between the tags.
  static let hash = "sha256-" + Data(SHA256.hash(data: Data(text.utf8))).base64EncodedString()

  private static let text = """
    :root { --ink: #1b1b1b; --dim: #5a5a5a; --paper: #f3f2f1; --card: #fff; --line: #c8c6c4; --act: #0f5ea8;
      --on-act: #fff; --bad: #a4262c; --bad-paper: #fdf3f4 }
    @media (prefers-color-scheme: dark) { :root { --ink: #f0f0f0; --dim: #b4b4b4; --paper: #141414;
      --card: #1f1f1f; --line: #4a4a4a; --act: #6cb8f6; --on-act: #08243c; --bad: #ff99a4; --bad-paper: #34181b } }
    * { box-sizing: border-box }
    body { margin: 0; min-height: 100vh; display: grid; place-content: center; gap: 1rem; padding: 1rem;
      background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif }
    main { width: min(30rem, calc(100vw - 2rem)); background: var(--card); border: 1px solid var(--line);
      border-radius: .5rem; padding: 2rem }
    footer { text-align: center; color: var(--dim); font-size: .85rem }
    h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .5rem }
    p, dl, ul, form { margin: 0 0 1rem }
    dl { display: grid; grid-template-columns: auto 1fr; gap: .1rem .75rem; font-size: .85rem; color: var(--dim) }
    dt { grid-column: 1 } dd { grid-column: 2; margin: 0; overflow-wrap: anywhere }
    label { display: block; font-weight: 600 }
    input { width: 100%; font: inherit; color: inherit; background: var(--card); border: 1px solid var(--dim);
      border-radius: .25rem; padding: .5rem; margin: .25rem 0 1rem }
    button { font: inherit; padding: .5rem 1rem; border-radius: .25rem; border: 1px solid var(--act); min-height: 2.75rem;
      background: var(--act); color: var(--on-act); cursor: pointer }
    button.plain { background: var(--card); color: var(--act) }
    button.tile { display: block; width: 100%; text-align: left; background: var(--card); color: var(--ink);
      border-color: var(--line); margin-bottom: .5rem }
    button.tile small { display: block; color: var(--dim) }
    :focus-visible { outline: 3px solid var(--act); outline-offset: 2px }
    .row { display: flex; gap: .5rem; flex-wrap: wrap }
    .bad { color: var(--bad); background: var(--bad-paper); border-left: .25rem solid var(--bad); padding: .5rem .75rem }
    .number { font-size: 3rem; font-weight: 700; text-align: center; letter-spacing: .1em; margin: 0 0 1rem }
    ul { padding-left: 1.25rem } li small { color: var(--dim) }
    """
}
