/// The commands that a program's help lists, and the options of each.
public struct HelpTree: Sendable {
    /// The options of each command that has no subcommands, by its words: `["members", "add"]`.
    public private(set) var commands: [[String]: Set<String>] = [:]

    /// Asks for the help of each command.
    ///
    /// - Parameter run: Runs a command with arguments: `["members", "--help"]`.
    public init(_ run: ([String]) throws -> CommandResult) throws {
        try add([], run)
    }

    private mutating func add(_ path: [String], _ run: ([String]) throws -> CommandResult) throws {
        let help = try run(path + ["--help"]).output
        let lines = help.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let names = Self.section("SUBCOMMANDS:", of: lines).compactMap { line in
            line.firstMatch(of: #/^  ([a-z][a-z-]*)(?: |$)/#).map { String($0.output.1) }
        }
        for name in names { try add(path + [name], run) }
        guard names.isEmpty else { return }
        let options = Self.section("OPTIONS:", of: lines).compactMap { line in
            line.firstMatch(of: #/^  (?:-\w, )?(--[a-z-]+)/#).map { String($0.output.1) }
        }
        commands[path] = Set(options)
    }

    private static func section(_ title: String, of lines: [String]) -> ArraySlice<String> {
        guard let start = lines.firstIndex(of: title) else { return [] }
        return lines[(start + 1)...].prefix { !$0.isEmpty }
    }
}
