internal import ArgumentParser

extension CommandFailure {
    /// The error for arguments whose first word, or first word after 'help', is not a subcommand of the root; it
    /// suggests the nearest subcommand. `nil` if the word is a subcommand or an option.
    static func unknownCommand(in arguments: [String], of root: any ParsableCommand.Type) -> CommandFailure? {
        var group: any ParsableCommand.Type = root
        var path: [String] = []
        for word in arguments.drop(while: { $0 == "help" }) {
            let commands: [any ParsableCommand.Type] = group.configuration.subcommands
            guard !commands.isEmpty, !word.hasPrefix("-") else { return nil }
            let names = commands.map { $0._commandName }
            guard let index = names.firstIndex(of: word) else {
                let program = ([root._commandName] + path).joined(separator: " ")
                func command(_ name: String) -> String { "'" + (path + [name]).joined(separator: " ") + "'" }
                let question = word.nearest(of: names).map { "Did you mean \(command($0))? " } ?? ""
                return CommandFailure(
                    .usage, "unknown command \(command(word))",
                    advice: question + "See '\(program) --help' for a list.")
            }
            group = commands[index]
            path.append(word)
        }
        return nil
    }
}
