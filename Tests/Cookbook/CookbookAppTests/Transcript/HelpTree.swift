/// What the binary's help lists: commands, and the options of each.
struct HelpTree {
    /// Commands without subcommands, as paths from the root, with their own options.
    private(set) var commands: [[String]: Set<String>] = [:]

    init(_ larder: LarderProcess) throws {
        try add([], larder)
    }

    private mutating func add(_ path: [String], _ larder: LarderProcess) throws {
        let help = try larder.run(path + ["--help"], input: "/dev/null").output
        let lines = help.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let names = Self.section("SUBCOMMANDS:", of: lines).compactMap { line in
            line.firstMatch(of: #/^  ([a-z][a-z-]*)(?: |$)/#).map { String($0.output.1) }
        }
        for name in names { try add(path + [name], larder) }
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
