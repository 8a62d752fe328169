/// The model that the views render.
///
/// The view is a function of it. Members of the shared state can be used as members of the model.
@dynamicMemberLookup
struct AppModel: Equatable, Sendable {
  var shared: SharedState
  var screens = Screens()

  init(title: String, size: Size = Size(width: 80, height: 24)) {
    shared = SharedState(lab: LabFacts(title: title), size: size)
  }

  subscript<Value>(dynamicMember path: WritableKeyPath<SharedState, Value>) -> Value {
    get { shared[keyPath: path] }
    set { shared[keyPath: path] = newValue }
  }

  subscript<Value>(dynamicMember path: KeyPath<SharedState, Value>) -> Value { shared[keyPath: path] }
}

/// A column of the list that can be sorted.
struct ColumnFacts: Equatable {
  var title: String
  /// Whether the user wants to see the column.
  var isShown: Bool
  /// Whether the window is wide enough for the column.
  var hasRoom: Bool
}

extension AppModel {
  /// The current screen.
  var screen: any Screen { screens[shared.place] }

  /// Lets the current screen change itself and the shared state.
  mutating func withScreen<Result>(_ change: (inout any Screen, inout SharedState) -> Result) -> Result {
    Screens.entry(of: shared.place).update(&screens, &shared, change)
  }

  /// The screens that are available in this lab.
  var tabs: [Place] { Place.tabs.filter { screens.obstacle(toShow: $0) == nil } }

  /// The focused list of the current screen.
  var activeList: RowList {
    get { screens.list(of: shared.place, panel: shared.panel) }
    set { withScreen { $0[$1.panel] = newValue } }
  }

  /// The list whose rows are marked and sorted.
  var mainList: RowList {
    get { screens.list(of: shared.place, panel: Screens.entry(of: shared.place).type.mainPanel) }
    set { withScreen { screen, _ in screen[type(of: screen).mainPanel] = newValue } }
  }

  /// Whether the focused panel is a list.
  ///
  /// Other panels only scroll.
  var listHasKeys: Bool { shared.panel == 0 || type(of: screen).hasTwoLists }

  /// The IDs of the marked rows.
  var marked: Set<RowID> { mainList.marks.ids }

  /// Whether rows can be marked here, because the commands of the list act on several rows.
  var canMark: Bool { screen.canMark(inPanel: shared.panel) }

  var selection: Selection { screen.selection(shared) }

  /// All columns of the list that can be sorted, including the hidden ones.
  var columns: [ColumnFacts] {
    let hidden = mainList.hiddenColumns
    let all = type(of: screen).columns
    let shown = all.filter { !hidden.contains($0.title) }
    let panels = shared.layout.panels(of: self)
    let panel = type(of: screen).mainPanel == 1 ? panels.second : panels.first
    let widths = columnWidths(shown, width: panel.width - 4)
    let fitting = Set(zip(shown, widths).filter { $1 != nil }.map(\.0.title))
    return all.map {
      ColumnFacts(title: $0.title, isShown: !hidden.contains($0.title), hasRoom: fitting.contains($0.title))
    }
  }

  /// The context that receives keys now.
  var context: KeyContext {
    shared.dialogs.last?.component.context ?? (activeList.isFiltering ? .filter : shared.place.screen)
  }

  /// Returns the command that a key runs now.
  ///
  /// If several commands have the key, this is the first one available.
  func command(of key: KeyPress) -> KeyCommand? {
    let keys = shared.keys[context]
    return commandPlace(of: key, in: keys).map { keys.commands[$0] }
  }

  /// Returns the index, among the commands of the context, of the command that a key runs.
  func commandPlace(of key: KeyPress, in keys: ContextKeys) -> Int? {
    guard topDialog(PromptDialog.self)?.typesAsText(key) != true else { return nil }
    let meant = keys.places(of: key)
    guard meant.count > 1 else { return meant.first }
    return meant.first { obstacle(to: keys.commands[$0].action.value) == nil } ?? meant.first
  }

  /// Returns the focused dialog, or `nil` if it is not of this type.
  func topDialog<Component: DialogComponent>(_ type: Component.Type) -> Component? {
    shared.dialogs.last?.component as? Component
  }

  /// The model as it is behind the focused dialog.
  var behind: AppModel {
    var model = self
    model.dialogs = Array(shared.dialogs.dropLast())
    return model
  }

  /// Returns the reason that a command is not available now, or `nil` if it is available.
  ///
  /// The help shows the reason, and the key bar omits the key.
  func obstacle(to action: any FeatureAction) -> String? {
    if shared.lab.isReadOnly, action.changesLab { return LabFacts.readOnly }
    return action.obstacle(in: self)
  }
}
