#if Service
public import ArgumentParser
public import LarderApp

/// Runs commands in the test's own process, which is faster than one process for each.
public struct CommandsInProcess<Root: AsyncParsableCommand & ServiceProgram> {
    /// The home folder.
    public let folder: TemporaryFolder
    /// Variables of the environment.
    public var variables: [String: String]
    private let perform: (sending any ParsableCommand) async throws -> Void

    /// - Parameters:
    ///   - root: The command of the program, with its subcommands.
    ///   - perform: Runs a parsed command; a test brings the container that it uses.
    public init(
        _ root: Root.Type, perform: @escaping (sending any ParsableCommand) async throws -> Void
    ) throws {
        folder = try TemporaryFolder()
        variables = ["HOME": folder.path]
        self.perform = perform
    }

    /// Runs a command of a transcript.
    public func run(_ line: ShellLine) async throws -> CommandResult {
        let variables = variables.merging(line.variables) { $1 }
        let caught = CapturedOutput()
        let status = await UserEnvironment.$current.withValue(UserEnvironment(variables)) {
            await caught.during {
                // The width of help where the width of the terminal is unknown.
                await CommandFrame.run(
                    Root.self, Root.identity, arguments: line.arguments, columns: 80, perform: perform)
            }
        }
        return CommandResult(
            status: status, output: CommandResult.text(caught.output), errors: CommandResult.text(caught.errors))
    }
}
#endif
