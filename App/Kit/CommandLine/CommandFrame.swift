public import ArgumentParser

#if canImport(Glibc)
private import Glibc
#elseif canImport(Musl)
private import Musl
#else
private import Darwin
#endif

/// Runs commands: parses the arguments, runs the command, and turns errors into messages and exit statuses.
public enum CommandFrame {
    /// The prefix of error messages.
    private static var title: String { ServiceIdentity.current.name + ": " }
    /// The prefix of the parser's own error messages.
    private static let parserTitle = "Error: "

    /// Runs the command that the arguments name, and exits the process; waits up to half a second for unread log lines.
    ///
    /// - Parameters:
    ///   - root: The command of the program, with its subcommands.
    ///   - identity: The service's name, for messages, settings and folders.
    ///   - arguments: The arguments, without the program's name.
    ///   - bootstrap: Sets the process-wide log handler, tracer and metrics backend, before anything else.
    public static func main<Root: AsyncParsableCommand>(
        _ root: Root.Type, _ identity: ServiceIdentity, arguments: [String] = Array(CommandLine.arguments.dropFirst()),
        bootstrap: () -> Void = { JSONLogHandler.bootstrap() }
    ) async -> Never {
        // A closed pipe is then a write error, so that the command exits normally and removes its temporary files.
        signal(SIGPIPE, SIG_IGN)
        bootstrap()
        let status = await run(root, identity, arguments: arguments)
        await LogSink.standardError.flush(within: .milliseconds(500))
        exit(status)
    }

    /// Runs the command that the arguments name, prints errors, and returns the exit status.
    ///
    /// - Parameters:
    ///   - root: The command of the program, with its subcommands.
    ///   - identity: The service's name.
    ///   - arguments: The arguments, without the program's name.
    ///   - columns: The width of help; `nil` for the terminal's width or `COLUMNS`.
    ///   - perform: Runs a parsed command; a test supplies the command's dependencies here.
    public static func run<Root: AsyncParsableCommand>(
        _ root: Root.Type, _ identity: ServiceIdentity, arguments: [String], columns: Int? = nil,
        perform: (sending any ParsableCommand) async throws -> Void = Self.perform
    ) async -> Int32 {
        let program = (root as? any ServiceProgram.Type).map(RunningProgram.init)
        return await ServiceIdentity.$current.withValue(identity) {
            let words = StoreOptions.movedBehind(arguments)
            do {
                if let failure = CommandFailure.longCombiningRun(in: arguments) { throw failure }
                try await RunningProgram.$current.withValue(program) { try await perform(try root.parseAsRoot(words)) }
                return ExitStatus.success.rawValue
            } catch {
                var failure = CommandFailure(error)
                // The parser treats 'help' as success, also for a command that does not exist.
                if failure == nil, words.first == "help" || !root.exitCode(for: error).isSuccess {
                    failure = CommandFailure.unknownCommand(in: words, of: root)
                }
                return report(failure, or: error, of: root, columns: columns)
            }
        }
    }

    /// Runs a command, asynchronously if it supports that.
    public static func perform(_ command: sending any ParsableCommand) async throws {
        var command = command
        if var command = command as? any AsyncParsableCommand {
            try await command.run()
        } else {
            try command.run()
        }
    }

    /// Errors other than failures come from the parser: an invalid command line, or a request for help.
    private static func report(
        _ failure: CommandFailure?, or error: any Error, of root: any ParsableCommand.Type, columns: Int?
    ) -> Int32 {
        if let failure {
            if !failure.message.isEmpty { warn(failure.message, title: title) }
            if let advice = failure.advice { warn(advice) }
            return failure.status.rawValue
        }
        let (code, message) = (root.exitCode(for: error), root.fullMessage(for: error, columns: columns))
        if message.isEmpty { return code.rawValue }
        do {
            if code.isSuccess {
                for line in lines(of: message) { try Terminal.output(line) }
            } else if message.hasPrefix(parserTitle) {
                warn(String(message.dropFirst(parserTitle.count)), title: title)
            } else {
                warn(message)
            }
        } catch {
            return ExitStatus.outputFailed.rawValue
        }
        return code.rawValue
    }

    private static func warn(_ message: String, title: String = "") {
        for (index, line) in lines(of: message).enumerated() { Terminal.warn(line, title: index == 0 ? title : "") }
    }

    private static func lines(of message: String) -> [String] {
        message.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
}
