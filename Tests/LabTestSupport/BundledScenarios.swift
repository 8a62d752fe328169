import Foundation

/// The folder `assets/scenarios` of the repository.
package let bundledScenarioFolder = URL(filePath: #filePath).deletingLastPathComponent()
  .appending(path: "../../assets/scenarios").standardizedFileURL.path()
