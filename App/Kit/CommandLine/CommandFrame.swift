public import ArgumentParser

#if canImport(Glibc)
private import Glibc
#elseif canImport(Musl)
private import Musl
#else
private import Darwin
#endif

/// What is around every command: it parses, runs, and turns errors into messages and exit statuses.
public enum CommandFrame {
    /// Runs the command that the arguments name, and ends the process.
    public static func main<Root: AsyncParsableCommand>(_ root: Root.Type) async -> Never {
        // A closed pipe is an error of the write, so that a command ends in its usual way and removes its temporary files.
        signal(SIGPIPE, SIG_IGN)
        exit(await run(root, arguments: Array(CommandLine.arguments.dropFirst())))
    }

    /// Runs the command that the arguments name, says what went wrong, and gives the exit status.
    ///
    /// - Parameters:
    ///   - columns: How wide help is; `nil` asks the terminal and `COLUMNS`.
    ///   - perform: Runs a command that was parsed; a test brings what the command works with.
    public static func run<Root: AsyncParsableCommand>(
        _ root: Root.Type, arguments: [String], columns: Int? = nil,
        perform: (sending any ParsableCommand) async throws -> Void = Self.perform
    ) async -> Int32 {
        do {
            if let failure = CommandFailure.longCombiningRun(in: arguments) { throw failure }
            try await perform(try root.parseAsRoot(StoreOptions.movedBehind(arguments)))
            return ExitStatus.success.rawValue
        } catch {
            var failure = CommandFailure(error)
            if failure == nil, !root.exitCode(for: error).isSuccess {
                failure = CommandFailure.unknownCommand(in: StoreOptions.movedBehind(arguments), of: root)
            }
            return report(failure, or: error, of: root, columns: columns)
        }
    }

    /// Runs a command, in the way that it wants to be run.
    public static func perform(_ command: sending any ParsableCommand) async throws {
        var command = command
        if var command = command as? any AsyncParsableCommand {
            try await command.run()
        } else {
            try command.run()
        }
    }

    /// An error that is no failure is the parser's: a wrong command line, or help that was asked for.
    private static func report(
        _ failure: CommandFailure?, or error: any Error, of root: any ParsableCommand.Type, columns: Int?
    ) -> Int32 {
        if let failure {
            if !failure.message.isEmpty { Terminal.warn(failure.message, title: "larder: ") }
            if let advice = failure.advice { Terminal.warn(advice) }
            return failure.status.rawValue
        }
        let (code, message) = (root.exitCode(for: error), root.fullMessage(for: error, columns: columns))
        if message.isEmpty { return code.rawValue }
        if !code.isSuccess {
            Terminal.warn(message)
        } else if (try? Terminal.output(message)) == nil {
            return ExitStatus.outputFailed.rawValue
        }
        return code.rawValue
    }
}
