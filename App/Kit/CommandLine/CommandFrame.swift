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
    /// The prefix of error messages.
    private static var title: String { ServiceIdentity.current.name + ": " }
    /// What the parser's own error messages begin with.
    private static let parserTitle = "Error: "

    /// Runs the command that the arguments name, and ends the process, up to half a second later if its log is not read.
    ///
    /// - Parameters:
    ///   - identity: The service's name, for messages, settings and folders.
    ///   - bootstrap: Sets what is global in the process, before anything else: the log handler, a tracer, metrics.
    public static func main<Root: AsyncParsableCommand>(
        _ root: Root.Type, _ identity: ServiceIdentity, arguments: [String] = Array(CommandLine.arguments.dropFirst()),
        bootstrap: () -> Void = { JSONLogHandler.bootstrap() }
    ) async -> Never {
        // A closed pipe is an error of the write, so that a command ends in its usual way and removes its temporary files.
        signal(SIGPIPE, SIG_IGN)
        bootstrap()
        let status = await run(root, identity, arguments: arguments)
        await LogSink.standardError.flush(within: .milliseconds(500))
        exit(status)
    }

    /// Runs the command that the arguments name, says what went wrong, and gives the exit status.
    ///
    /// - Parameters:
    ///   - columns: How wide help is; `nil` asks the terminal and `COLUMNS`.
    ///   - perform: Runs a command that was parsed; a test brings what the command works with.
    public static func run<Root: AsyncParsableCommand>(
        _ root: Root.Type, _ identity: ServiceIdentity, arguments: [String], columns: Int? = nil,
        perform: (sending any ParsableCommand) async throws -> Void = Self.perform
    ) async -> Int32 {
        await ServiceIdentity.$current.withValue(identity) {
            let words = StoreOptions.movedBehind(arguments)
            do {
                if let failure = CommandFailure.longCombiningRun(in: arguments) { throw failure }
                try await perform(try root.parseAsRoot(words))
                return ExitStatus.success.rawValue
            } catch {
                var failure = CommandFailure(error)
                // The parser answers 'help' with success, also for a command that does not exist.
                if failure == nil, words.first == "help" || !root.exitCode(for: error).isSuccess {
                    failure = CommandFailure.unknownCommand(in: words, of: root)
                }
                return report(failure, or: error, of: root, columns: columns)
            }
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
