/// The nested blocks in braces of a source file, which decide what a name represents.
struct SourceBlocks {
  private struct Block {
    var parent: Int?
    /// The type that the block declares or extends.
    var owner: String?
    var isProtocol = false
  }

  /// The block of the whole file.
  static let file = 0

  private var all = [Block()]
  private(set) var current = SourceBlocks.file
  /// The type that the next block declares.
  private var next: (owner: String, isProtocol: Bool)?

  private static let keywords: Set = ["class", "struct", "enum", "extension", "actor", "protocol"]
  private static let members: Set = ["func", "var", "let", "init", "subscript"]

  /// Takes a word that may begin the declaration of a type, and the word that follows it.
  mutating func take(_ word: String, before name: String?) {
    guard Self.keywords.contains(word), let name, !Self.members.contains(name) else { return }
    next = (name, word == "protocol")
  }

  mutating func open() {
    all.append(Block(parent: current, owner: next?.owner, isProtocol: next?.isProtocol ?? false))
    current = all.count - 1
    next = nil
  }

  mutating func close() { current = all[current].parent ?? SourceBlocks.file }

  /// Returns a block and the blocks that contain it, from the inside to the outside.
  func chain(of block: Int) -> [Int] {
    var chain = [block]
    while let parent = all[chain[chain.count - 1]].parent { chain.append(parent) }
    return chain
  }

  /// Returns the types that contain a block.
  func owners(of block: Int) -> Set<String> { Set(chain(of: block).compactMap { all[$0].owner }) }

  /// Returns the innermost block of a type that contains a block, or the file.
  func type(around block: Int) -> Int {
    chain(of: block).first { all[$0].owner != nil } ?? SourceBlocks.file
  }

  /// Returns whether a declaration in a block is one of a type or of the file, so that others can see it.
  func isVisible(_ block: Int) -> Bool {
    chain(of: block).allSatisfy { $0 == SourceBlocks.file || all[$0].owner != nil && !all[$0].isProtocol }
  }
}

extension SourceScan {
  /// A value that a name represents in a block.
  struct Declaration: Hashable {
    /// The code that sees the name.
    enum Reach: Hashable {
      case block
      /// The member of another value, as in `settings.clientID = …`.
      case otherMember
    }

    var value: Expression
    var place: FilePlace
    var block: Int
    var reach = Reach.block
    /// Whether the declaration has no initial value; another statement assigns it.
    var isUnset = false
    /// The list of strings that the name represents, if it is one.
    var list: List?
  }

  /// A list of strings, as code writes it.
  struct List: Hashable {
    var items: [Declaration]
    var place: FilePlace
  }

  /// The maximum number of declarations of one name in a file.
  private static let declarationLimit = 64

  mutating func add(_ declaration: Declaration, to name: String) {
    guard constants[name, default: []].count < Self.declarationLimit else { return }
    constants[name, default: []].append(declaration)
  }
}
