import Foundation

@testable import SSODoctor
@testable import SSOTermApp

extension FrameSample {
  /// The samples of the Doctor screen for the projects in `assets/projects`.
  static let doctor = [
    FrameSample("doctor", Sample.doctor()),
    FrameSample("doctor-checks", pressed(Sample.doctor(), "l")),
    FrameSample("doctor-finding", opened(pressed(Sample.doctor(), "l"))),
    FrameSample("doctor-unreadable", Sample.doctor(of: ["nowhere"])),
  ]

  private static func opened(_ model: AppModel) -> AppModel {
    var model = model
    _ = commands(&model, "\r")
    return model
  }
}

extension Sample {
  static let projects = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "assets/projects").path

  /// Returns the doctor's screen for these projects, with paths that are the same on every machine.
  static func doctor(
    of names: [String] = ["no-callback", "no-callback/registration.json", "unused-entitlements"]
  )
    -> AppModel
  {
    let source = ProjectSource(paths: names.map { "projects/" + $0 })
    var model = Sample.model(.doctor(source))
    model.stack = [.apps, .doctor(source)]
    _ = update(&model, .loaded(.doctor(source, diagnosis(of: names))))
    return model
  }

  private static func diagnosis(of names: [String]) -> Result<Diagnosis, UnreadableProject> {
    func relative(_ path: String) -> String { path.replacing(projects, with: "projects") }
    do throws(UnreadableProject) {
      var diagnosis = try Doctor.examine(names.map { projects + "/" + $0 })
      for index in diagnosis.apple.indices {
        diagnosis.apple[index].origin.path = relative(diagnosis.apple[index].origin.path)
      }
      for index in diagnosis.registrations.indices {
        diagnosis.registrations[index].origin.path = relative(diagnosis.registrations[index].origin.path)
      }
      for index in diagnosis.checks.indices {
        diagnosis.checks[index].place.path = relative(diagnosis.checks[index].place.path)
        diagnosis.checks[index].check.found = relative(diagnosis.checks[index].check.found)
      }
      return .success(diagnosis)
    } catch {
      return .failure(UnreadableProject(path: relative(error.path), error: error.error))
    }
  }
}
