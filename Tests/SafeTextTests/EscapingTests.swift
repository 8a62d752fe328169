import SafeText
import Testing

@Suite struct EscapingTests {
  @Test(arguments: [
    (Escaping.xml, "a<b>\"&'\n\u{1B}", "a&lt;b&gt;&quot;&amp;'\n&lt;U+001B&gt;"),
    (.html, "a<b>\"&'\n", "a&lt;b&gt;&quot;&amp;&#39;&lt;U+000A&gt;"),
    (.markdown, #"a|b\c<d>"#, #"a\|b\\c&lt;d>"#), (.mermaid, "#;<>%&", "#35;#59;#60;#62;#37;&"),
  ])
  func aFormatsSignsAreEscapedAndControlsSpeltOut(_ format: Escaping, _ text: String, _ escaped: String) {
    #expect(format(text) == escaped)
  }

  @Test(arguments: [
    ("![x](https://evil.example/a.png)", #"\!\[x\](https\://evil.example/a.png)"#),
    ("[log in](javascript:alert`1`)", #"\[log in\](javascript:alert\`1\`)"#),
    ("<https://evil.example>", #"&lt;https\://evil.example>"#), ("www.evil.example", #"www\.evil.example"#),
    ("<img src=x>&lt;", "&lt;img src=x>&amp;lt;"),
    ("*a* __b__ ~~c~~ $d$", #"\*a\* \_\_b\_\_ \~\~c\~\~ \$d\$"#),
    ("client_id of com.contoso.a-b, 2 of 3!", "client_id of com.contoso.a-b, 2 of 3!"),
    ("# a", "\\# a"), ("> a", "\\> a"), ("- a", #"\- a"#), ("+ a", #"\+ a"#), ("===", #"\==="#),
    ("---", #"\---"#), ("-50011", "-50011"),
    ("12. a", #"12\. a"#), ("3) a", #"3\) a"#), ("1.2.3", "1.2.3"), ("    code", "&#32;&#32;&#32;&#32;code"),
    ("a\n# b", #"a&lt;U+000A># b"#), ("", ""),
  ])
  func nothingInMarkdownIsActive(_ text: String, _ escaped: String) {
    #expect(Escaping.markdown(text) == escaped)
  }

  /// The provider's form post: an app reads its state back.
  @Test func aValueThatAProgramReadsKeepsItsCharacters() {
    #expect(Escaping.html.signs(in: "\u{202E}\u{200D}a'<") == "\u{202E}\u{200D}a&#39;&lt;")
  }

  @Test(arguments: [
    ("a &lt;b&gt; &quot;&amp;&apos;", "a <b> \"&'"), ("&#39;&#x2B;&#43;", "'++"), ("&amp;lt;", "&lt;"),
    ("& &; &nbsp; &#x110000; &#", "& &; &nbsp; &#x110000; &#"), ("", ""),
  ])
  func entitiesAreRead(_ text: String, _ read: String) {
    #expect(Escaping.readingEntities(text) == read)
  }

  @Test(arguments: [Escaping.xml, .html], ["<a href=\"x\">'&amp;'</a>", "plain", "&#39;"])
  func whatWasEscapedIsReadBack(_ format: Escaping, _ text: String) {
    #expect(Escaping.readingEntities(format(text)) == text)
  }
}
