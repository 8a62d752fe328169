/// Draws a text field after its prompt.
func drawSearch(_ field: TextField, prompt: String, into grid: inout Grid, _ row: Rect) {
  grid.put(prompt, at: row.x + 1, row.y, style: .accent)
  let x = row.x + 2 + prompt.count
  field.draw(into: &grid, at: Rect(x: x, y: row.y, width: row.maxX - x - 1, height: 1), focused: true)
}
