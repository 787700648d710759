import Foundation

/// The sample of the template is every file and every line that names a bike.
enum Sample {
    /// The entity, its table, and its file.
    static let (name, table, file) = ("Bike", "bike", "Domain/Bike.swift")

    static func contains(_ text: some StringProtocol) -> Bool { text.lowercased().contains("bike") }

    static func removed(from text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).filter { !contains($0) }.joined(separator: "\n")
            .replacing("\n\n\n", with: "\n\n")
    }

    /// Removes the sample from a service. What differs from the template of this version of the kit, or names a bike
    /// elsewhere, is a difference of the plan.
    static func remove(from plan: inout Plan, _ name: ServiceName) throws {
        let template = NewService.root.appending(path: "Tests/Starter")
        var known: Set<String> = []
        for path in try NewService.files(below: template) {
            let text = name.applied(to: try String(contentsOf: template.appending(path: path), encoding: .utf8))
            let path = name.applied(to: path)
            known.insert(path)
            if contains(path) {
                plan.delete(path, text)
            } else if contains(text) {
                plan.removeLines(text.split(separator: "\n").filter(contains).map(String.init), from: path)
            }
        }
        for folder in ["Domain", "Data", "App", "Tests"] {
            for path in try NewService.files(below: plan.root.appending(path: folder)).map({ "\(folder)/\($0)" }) {
                let text = try String(contentsOf: plan.root.appending(path: path), encoding: .utf8)
                if !known.contains(path), contains(path + text) { plan.keep(path) }
            }
        }
    }
}
