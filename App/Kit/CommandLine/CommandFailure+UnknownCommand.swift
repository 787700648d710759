internal import ArgumentParser

extension CommandFailure {
    /// That the arguments begin with no command of the root's, after 'help' if they begin with that, and which may have been
    /// meant; `nil` if they do, or begin with an option.
    static func unknownCommand(in arguments: [String], of root: any ParsableCommand.Type) -> CommandFailure? {
        var group: any ParsableCommand.Type = root
        var path: [String] = []
        for word in arguments.drop(while: { $0 == "help" }) {
            let commands: [any ParsableCommand.Type] = group.configuration.subcommands
            guard !commands.isEmpty, !word.hasPrefix("-") else { return nil }
            let names = commands.map { $0.configuration.commandName ?? "" }
            guard let index = names.firstIndex(of: word) else {
                let program = ([root.configuration.commandName ?? ""] + path).joined(separator: " ")
                func command(_ name: String) -> String { "'" + (path + [name]).joined(separator: " ") + "'" }
                let question = word.nearest(of: names).map { "Did you mean \(command($0))? " } ?? ""
                return CommandFailure(
                    .usage, "there is no command \(command(word))",
                    advice: question + "See '\(program) --help' for what there is.")
            }
            group = commands[index]
            path.append(word)
        }
        return nil
    }
}
