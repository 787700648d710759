import Testing

/// Everything that the help lists stands in a transcript.
struct CoverageTests {
    private struct Use {
        let command: [String]
        let arguments: [String]
        let status: Int32
    }

    /// It runs until it is told to end, which no transcript does; ServeCommandTests do.
    private static let endless = [["serve"]]

    private let help: HelpTree
    private let uses: [Use]

    init() throws {
        let help = try HelpTree(LarderProcess())
        let names = TranscriptTests.onEachStore + TranscriptTests.ofProcess
        uses = try names.flatMap { try Transcript(named: $0).entries }.compactMap { entry in
            let arguments = entry.command.arguments
            // A group of commands alone means its list.
            let candidates = (1...3).map { Array(arguments.prefix($0)) } + [arguments.prefix(1) + ["list"]]
            guard let command = candidates.first(where: { help.commands[$0] != nil }) else { return nil }
            return Use(command: command, arguments: arguments, status: try #require(entry.status))
        }
        self.help = help
    }

    @Test func `each command is done once at least, and fails in some way`() {
        #expect(help.commands.count > 20)
        let commands = help.commands.keys.filter { !Self.endless.contains($0) }
        for command in commands.sorted(by: { $0.joined() < $1.joined() }) {
            let statuses = uses.filter { $0.command == command }.map(\.status)
            #expect(statuses.contains(0), "\(command) never succeeds")
            #expect(statuses.contains { $0 != 0 }, "\(command) never fails")
        }
    }

    @Test func `each option of each command is used by it, and those of every command by one`() {
        let everywhere = help.commands.values.reduce(help.commands.values.first ?? []) { $0.intersection($1) }
        #expect(everywhere == ["--store", "--durability", "--as", "--config", "--version", "--help"])
        for (command, options) in help.commands where !Self.endless.contains(command) {
            let used = uses.filter { $0.command == command && $0.status == 0 }.flatMap(\.arguments)
            for option in options.subtracting(everywhere) {
                #expect(used.contains(option), "\(command) is never used with \(option)")
            }
        }
        let used = uses.flatMap(\.arguments)
        for option in everywhere.subtracting(["--version"]) { #expect(used.contains(option)) }
    }

    @Test func `each exit status that the help explains is seen, but for those of a broken store or program`() {
        let seen = Set(uses.map(\.status))
        #expect(seen == [0, 64, 65, 66, 69, 73, 74, 77, 78])
    }
}
