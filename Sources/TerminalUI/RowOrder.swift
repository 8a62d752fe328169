/// The row numbers in display order: all rows in their original order, or a list of rows.
package struct RowOrder: RandomAccessCollection, Equatable, Sendable {
  private enum Rows: Equatable, Sendable {
    case all(Int)
    case some([UInt32])
  }

  private let rows: Rows

  package init(all count: Int = 0) { rows = .all(count) }
  package init(_ numbers: some Sequence<UInt32>) { rows = .some(Array(numbers)) }

  package var startIndex: Int { 0 }
  package var endIndex: Int {
    switch rows {
    case .all(let count): count
    case .some(let numbers): numbers.count
    }
  }

  package subscript(position: Int) -> Int {
    switch rows {
    case .all: position
    case .some(let numbers): Int(numbers[position])
    }
  }
}
