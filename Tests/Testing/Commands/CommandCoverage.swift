/// Compares a program's help with the commands of transcripts.
public struct CommandCoverage: Sendable {
    private struct Use {
        let command: [String]
        let arguments: [String]
        let status: Int32
    }

    /// The options that every command has.
    public let commonOptions: Set<String>
    /// The exit statuses that the transcripts contain.
    public let statuses: Set<Int32>
    private let help: HelpTree
    private let endless: Set<[String]>
    private let elsewhere: [[String]: Set<String>]
    private let uses: [Use]

    /// - Parameters:
    ///   - help: The commands and options of the program.
    ///   - transcripts: The transcripts of its commands.
    ///   - endless: Commands that a transcript cannot contain, because they run until a signal ends them.
    ///   - elsewhere: Options that other tests use with success, because they need more than a command.
    ///   - groupDefault: The subcommand that a group of commands runs without one.
    public init(
        _ help: HelpTree, _ transcripts: [CommandTranscript], endless: Set<[String]> = [["serve"]],
        elsewhere: [[String]: Set<String>] = [
            ["backup"]: ["--service", "--insecure"], ["transfer"]: ["--service", "--insecure"],
        ],
        groupDefault: String = "list"
    ) {
        self.help = help
        (self.endless, self.elsewhere) = (endless, elsewhere)
        uses = transcripts.flatMap(\.entries).compactMap { entry in
            let arguments = entry.command.arguments
            let candidates = (1...3).map { Array(arguments.prefix($0)) } + [arguments.prefix(1) + [groupDefault]]
            guard let command = candidates.first(where: { help.commands[$0] != nil }), let status = entry.status
            else { return nil }
            return Use(command: command, arguments: arguments, status: status)
        }
        commonOptions = help.commands.values.reduce(help.commands.values.first ?? []) { $0.intersection($1) }
        statuses = Set(uses.map(\.status))
    }

    /// Commands that never succeed or never fail, options that their command never uses with success, and common
    /// options that no command uses.
    public func findings() -> [String] {
        var findings: [String] = []
        for (command, options) in help.commands where !endless.contains(command) {
            let own = uses.filter { $0.command == command }
            let name = command.joined(separator: " ")
            if !own.contains(where: { $0.status == 0 }) { findings.append("'\(name)' never succeeds") }
            if !own.contains(where: { $0.status != 0 }) { findings.append("'\(name)' never fails") }
            let used = Set(own.filter { $0.status == 0 }.flatMap(\.arguments)).union(elsewhere[command] ?? [])
            for option in options.subtracting(commonOptions).subtracting(used) {
                findings.append("'\(name)' never uses \(option)")
            }
        }
        let used = uses.flatMap(\.arguments)
        // The parser itself handles this one.
        for option in commonOptions.subtracting(used).subtracting(["--version"]) {
            findings.append("no command uses \(option)")
        }
        return findings.sorted()
    }
}
