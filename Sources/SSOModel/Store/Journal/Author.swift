/// The user who performed an intent, and the machine.
package struct Author: Codable, Hashable, Sendable {
  package var person: String
  package var machine: String

  /// Creates an author.
  ///
  /// Each name is cut to 64 characters, because it may come from the environment.
  package init(person: String, machine: String) {
    self.person = String(person.prefix(64))
    self.machine = String(machine.prefix(64))
  }

  /// The text of the author, such as `anna on qa-3`.
  package var words: String { "\(person) on \(machine)" }
}

/// The user of this process, recorded as the author of all changes.
package struct StoreUser: Hashable, Sendable {
  package var author: Author
  /// Whether the name identifies the same user on every machine.
  ///
  /// A chosen name (`SSOTERM_USER`) does. A login name does not: `root` of one machine is not `root` of
  /// another.
  package var isNamed: Bool
  /// The terminal session, such as `session 4711 on /dev/pts/3`.
  package var session: String

  package init(_ author: Author, isNamed: Bool, session: String = Origin.own) {
    self.author = author
    self.isNamed = isNamed
    self.session = session
  }

  /// Returns whether an author is this user.
  package func isOwn(_ other: Author) -> Bool {
    other.person == author.person && (isNamed || other.machine == author.machine)
  }

  /// `isOwn` as a condition on a row of the journal, with its values.
  ///
  /// A change without an author belongs to everybody, because it predates the recording of authors.
  var ownRows: (condition: String, values: [any SQLBindable]) {
    isNamed
      ? ("(person IS NULL OR person = ?)", [author.person])
      : ("(person IS NULL OR person = ? AND machine = ?)", [author.person, author.machine])
  }

  /// Returns the text for an intent from elsewhere, or `nil` if it was performed in this session.
  func originElsewhere(_ author: Author?, session: String?) -> String? {
    if let author, author != self.author { return "by \(author.words)" }
    return session == self.session ? nil : session.map { "in \($0)" }
  }
}
