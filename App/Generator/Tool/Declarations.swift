import Foundation

/// The types that a service and the kit declare, with their places.
struct Declarations {
    private var places: [String: String] = [:]
    /// Types of the standard library, Foundation and other modules that the generated code uses.
    private static let known: Set = [
        "Array", "Bool", "Character", "Data", "Date", "Dictionary", "Double", "Error", "Hummingbird", "Int", "Optional",
        "Predicate", "Response", "Request", "Result", "Sendable", "Set", "String", "Swift", "Task", "Testing", "UInt8",
        "Test", "Suite", "Option", "Flag", "Argument", "OptionGroup", "Foundation", "URL", "UUID",
    ]

    init(in root: URL) throws {
        let products = ["Domain/Kit", "Data/Kit", "Infrastructure/Kit", "App/Kit", "App/HTTP", "Tests/Testing"]
        for folder in products {
            let folder = NewService.root.appending(path: folder)
            // A public type of the kit makes the same name ambiguous in App and in tests.
            try read(folder, /(?m)^public (?:final )?(?:struct|enum|class|protocol|actor|typealias) (\w+)/, "the kit")
        }
        for folder in ["Domain", "Data", "App", "Tests"] {
            let folder = root.appending(path: folder)
            try read(folder, /(?m)^\s*(?:[@\w() ]+ )?(?:struct|enum|class|protocol|actor|typealias) (\w+)/, nil)
        }
    }

    private mutating func read(_ folder: URL, _ pattern: Regex<(Substring, Substring)>, _ owner: String?) throws {
        guard FileManager.default.fileExists(atPath: folder.path) else { return }
        for path in try NewService.files(below: folder) where path.hasSuffix(".swift") {
            let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
            for match in text.matches(of: pattern) {
                places[String(match.1)] = owner ?? "\(folder.lastPathComponent)/\(path)"
            }
        }
    }

    mutating func add(_ type: String, _ place: String) { places[type] = place }

    /// Where a type is declared; `nil` if the name is free.
    func place(of type: String) -> String? {
        if Self.known.contains(type) || Keywords.all.contains(type) { return "Swift or a package" }
        return places[type]
    }
}
