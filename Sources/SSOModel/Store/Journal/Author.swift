/// Who did an intent, and at which machine.
package struct Author: Codable, Hashable, Sendable {
  package var person: String
  package var machine: String

  /// Each name is cut at 64 characters: one comes from the environment.
  package init(person: String, machine: String) {
    self.person = String(person.prefix(64))
    self.machine = String(machine.prefix(64))
  }

  /// `anna on qa-3`.
  package var words: String { "\(person) on \(machine)" }
}

/// The person at this process: what the store notes on all that the process does, and what is one's own.
package struct StoreUser: Hashable, Sendable {
  package var author: Author
  /// Whether the name is the same person on every machine.
  ///
  /// `root` of one machine is not `root` of the next; a name that a person chose (`SSOTERM_USER`) is.
  package var isNamed: Bool
  /// The terminal session: `session 4711 on /dev/pts/3`.
  package var session: String

  package init(_ author: Author, isNamed: Bool, session: String = Origin.own) {
    self.author = author
    self.isNamed = isNamed
    self.session = session
  }

  /// Whether an author is this person.
  package func isOwn(_ other: Author) -> Bool {
    other.person == author.person && (isNamed || other.machine == author.machine)
  }

  /// `isOwn` as a condition on a row of the journal, with its values.
  ///
  /// A change without an author is everybody's: it was made before stores noted people.
  var ownRows: (condition: String, values: [any SQLBindable]) {
    isNamed
      ? ("(person IS NULL OR person = ?)", [author.person])
      : ("(person IS NULL OR person = ? AND machine = ?)", [author.person, author.machine])
  }

  /// The words for an intent that was not done here; nil if it was done in this session.
  func originElsewhere(_ author: Author?, session: String?) -> String? {
    if let author, author != self.author { return "by \(author.words)" }
    return session == self.session ? nil : session.map { "in \($0)" }
  }
}
