import Foundation

/// Creates services, and adds entities to them and removes them. `make new`, `make entity` and `make remove` run it.
@main
struct Generator {
    private static let usage = """
        usage: new NAME=my-loans [AT=../my-loans] [KIT=path|vendored|ADDRESS VERSION=1.0.0]
                   [STORE=sqlite|postgres] [SAMPLE=none] [FOLLOWERS=1]
               entity NAME=Book FIELDS='title:String pages:Int?' [PLURAL=Books] [VERBS='list read'] [PUBLIC=1] [DRY=1]
               entity ENTITIES='Author(name:String) Book(title:String author:ref(Author))' [VERBS=…] [PUBLIC=1] [DRY=1]
               remove NAME=Book [DRY=1]
               adopt FROM=sqlite:legacy.db|postgres://… [TABLES='books authors'] [DRY=1]
        """

    static func main() {
        do {
            print(try run(Array(CommandLine.arguments.dropFirst())))
        } catch let refusal as Refusal {
            fail(refusal.message)
        } catch {
            fail("\(error)")
        }
    }

    private static func run(_ arguments: [String]) throws -> String {
        let values = try Arguments(arguments.dropFirst())
        let here = URL(filePath: FileManager.default.currentDirectoryPath, directoryHint: .isDirectory)
        switch arguments.first {
        case "new":
            try values.allow(["NAME", "AT", "KIT", "VERSION", "STORE", "SAMPLE", "FOLLOWERS"])
            return try NewService(values, in: here).create()
        case "entity":
            try values.allow(["NAME", "FIELDS", "ENTITIES", "PLURAL", "VERBS", "PUBLIC", "DRY"])
            return try Project(at: here).add(values)
        case "remove":
            try values.allow(["NAME", "DRY"])
            return try Project(at: here).remove(values)
        case "adopt":
            try values.allow(["FROM", "TABLES", "DRY"])
            return try Project(at: here).adopt(values)
        default: throw Refusal(usage)
        }
    }

    private static func fail(_ message: String) -> Never {
        FileHandle.standardError.write(Data("\(message)\n".utf8))
        exit(64)
    }
}

/// A problem with the input. Nothing was changed.
struct Refusal: Error, Equatable {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}

/// The arguments after the verb: `NAME=value`. An empty value is like an absent one, because make passes it.
struct Arguments {
    private var values: [String: String] = [:]

    init(_ arguments: some Sequence<String>) throws {
        for argument in arguments {
            guard let equals = argument.firstIndex(of: "=") else {
                throw Refusal("'\(argument)' is not an argument: write NAME=value")
            }
            let value = String(argument[argument.index(after: equals)...])
            if !value.isEmpty { values[String(argument[..<equals])] = value }
        }
    }

    subscript(name: String) -> String? { values[name] }

    /// Whether an argument is 1; refuses other values, such as `no`.
    func flag(_ name: String) throws -> Bool {
        guard let value = values[name] else { return false }
        guard value == "1" else { throw Refusal("invalid \(name) '\(value)': write \(name)=1, or omit it") }
        return true
    }

    /// Refuses arguments with other names.
    func allow(_ names: [String]) throws {
        for name in values.keys.sorted() where !names.contains(name) {
            throw Refusal("unknown argument '\(name)': use \(names.joined(separator: ", "))")
        }
    }

    func required(_ name: String, _ example: String) throws -> String {
        guard let value = values[name] else { throw Refusal("\(name) is missing: write \(name)=\(example)") }
        return value
    }
}
