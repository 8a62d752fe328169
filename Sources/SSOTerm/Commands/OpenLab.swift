extension Console {
  /// The lab in the store.
  ///
  /// A store that is not there yet is made with the articles' suite, and that is said.
  func openLab(_ options: GlobalOptions) throws -> Lab { try openLab(options) { note($0) } }

  /// `news` takes what is said of a store that was made.
  func openLab(_ options: GlobalOptions, news: (String) -> Void) throws -> Lab {
    let location = try storeLocation(option: options.storePath())
    let (lab, created) = try Lab.open(
      location, user: .ofProcess(),
      creating: { options.readonly ? nil : try ScenarioLibrary().scenario(ScenarioLibrary.usual) })
    if created {
      news(
        "there was no \(location.isServer ? "lab" : "store"); made \(location.name) with the scenario contoso-suite"
      )
    }
    return listening(lab, options)
  }

  /// The lab, which reports its store's news through this command.
  private func listening(_ lab: Lab, _ options: GlobalOptions) -> Lab {
    lab.store.listen { news in
      switch news {
      case .waits: note("another process writes to the store; this one waits for its turn")
      case .silent: note("the server of the lab does not answer, or another writer has the lab; waiting")
      case .held(let holder): note("another writer has the lab: \(holder)")
      case .answers: note("the server of the lab answers again")
      case .leftOut(let error): troubles.add(leftOut: error)
      }
    }
    return options.readonly || lab.store.onlyReads != nil ? lab.readOnly() : lab
  }
}

extension Console {
  /// The lab of a command that only reads: a store that was named, and is not there, is a mistake.
  func openLabToRead(_ options: GlobalOptions) throws -> Lab {
    let path = try options.storePath()
    guard !options.create, path != (try GlobalOptions.usualStorePath()) else {
      return try openLab(options)
    }
    return listening(
      try Lab.open(storeLocation(option: path), user: .ofProcess(), creating: { nil }).lab, options)
  }
}

/// A lab in memory with a scenario's world: gone when the program ends.
func temporaryLab(_ scenario: ScenarioFile, _ options: GlobalOptions) throws -> Lab {
  let lab = try Lab.temporary(scenario, clockRuns: true)
  return options.readonly ? lab.readOnly() : lab
}
