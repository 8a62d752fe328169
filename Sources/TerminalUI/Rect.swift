/// A position in a grid.
package struct Point: Equatable, Sendable {
  package var x: Int
  package var y: Int

  package init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }
}

/// A number of columns and rows.
package struct Size: Equatable, Sendable {
  package var width: Int
  package var height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

/// A rectangular part of a grid.
///
/// Every operation returns a part of the receiver and never a negative size, so a screen that is laid out in too small
/// a window draws less instead of drawing elsewhere.
package struct Rect: Equatable, Sendable {
  package var x: Int
  package var y: Int
  package var width: Int
  package var height: Int

  package init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = max(0, width)
    self.height = max(0, height)
  }

  package var isEmpty: Bool { width == 0 || height == 0 }
  package var maxX: Int { x + width }
  package var maxY: Int { y + height }

  /// Returns whether the rectangle contains a cell.
  ///
  /// The right and bottom edges are exclusive.
  package func contains(_ column: Int, _ row: Int) -> Bool {
    column >= x && column < maxX && row >= y && row < maxY
  }

  package func inset(by amount: Int) -> Rect { inset(x: amount, y: amount) }

  package func inset(x horizontal: Int, y vertical: Int) -> Rect {
    let left = min(max(0, horizontal), width)
    let top = min(max(0, vertical), height)
    return Rect(
      x: x + left, y: y + top, width: width - left - horizontal, height: height - top - vertical)
  }

  /// Returns `count` rows starting with row `from` of this rectangle.
  package func rows(_ from: Int, _ count: Int) -> Rect {
    let start = min(max(0, from), height)
    return Rect(x: x, y: y + start, width: width, height: min(max(0, count), height - start))
  }

  /// Returns the left `columns` columns, and the rest.
  package func splitLeft(_ columns: Int) -> (Rect, Rect) {
    let cut = min(max(0, columns), width)
    return (
      Rect(x: x, y: y, width: cut, height: height),
      Rect(x: x + cut, y: y, width: width - cut, height: height)
    )
  }

  /// Returns the top `count` rows, and the rest.
  package func splitTop(_ count: Int) -> (Rect, Rect) {
    let cut = min(max(0, count), height)
    return (rows(0, cut), rows(cut, height - cut))
  }

  /// Returns all rows except the bottom `count`, and the bottom `count` rows.
  package func splitBottom(_ count: Int) -> (Rect, Rect) {
    splitTop(height - min(max(0, count), height))
  }

  /// Returns the cells that are in both rectangles; empty if there are none.
  package func intersection(_ other: Rect) -> Rect {
    let left = max(x, other.x)
    let top = max(y, other.y)
    return Rect(
      x: left, y: top, width: min(maxX, other.maxX) - left, height: min(maxY, other.maxY) - top)
  }

  /// Returns a rectangle of at most this size in the centre of this one, for dialogs.
  package func centred(width wanted: Int, height tall: Int) -> Rect {
    let columns = min(max(0, wanted), width)
    let lines = min(max(0, tall), height)
    return Rect(
      x: x + (width - columns) / 2, y: y + (height - lines) / 2, width: columns, height: lines)
  }
}
