public import Foundation

/// The output of a command, and its exit status.
public struct CommandResult: Sendable, Equatable {
    /// The exit status; negative for the signal that ended the process.
    public let status: Int32
    /// Standard output.
    public let output: String
    /// Standard error.
    public let errors: String

    /// Makes a result from its parts.
    public init(status: Int32, output: String, errors: String) {
        (self.status, self.output, self.errors) = (status, output, errors)
    }

    /// The text of bytes; a remark for bytes that are not UTF-8.
    public static func text(_ bytes: some Collection<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self) ?? "(\(bytes.count) bytes that are no text)\n"
    }
}

/// Runs a built program as a process, in a home folder that is removed afterwards.
public struct ProgramProcess: Sendable {
    /// The home folder.
    public let folder: TemporaryFolder
    /// The executable.
    public let binary: URL
    /// Variables of the environment, in addition to `HOME` and `PATH`.
    public var environment: [String: String] = [:]

    /// Takes the executable with this name in the folder of the test bundle, where SwiftPM builds both.
    public init(_ name: String) throws {
        let test = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        binary = test.deletingLastPathComponent().appending(path: name)
        folder = try TemporaryFolder()
    }

    /// Runs a command to its end.
    ///
    /// - Parameters:
    ///   - arguments: The arguments, without the program's name.
    ///   - input: The text of standard input.
    public func callAsFunction(_ arguments: String..., input: String = "") throws -> CommandResult {
        try run(arguments, input: try folder.file("stdin", input))
    }

    /// Runs a command of a transcript to its end.
    public func run(_ line: ShellLine) throws -> CommandResult {
        let input = try line.input ?? folder.file("stdin", "")
        return try run(line.arguments, variables: line.variables, input: input)
    }

    /// Runs a command to its end.
    ///
    /// - Parameters:
    ///   - arguments: The arguments, without the program's name.
    ///   - variables: Variables of the environment, in addition to ``environment``.
    ///   - input: The path of the file that is standard input.
    public func run(
        _ arguments: [String], variables: [String: String] = [:], input: String
    ) throws -> CommandResult {
        let process = process(arguments, variables: variables)
        // Files rather than pipes, because a pipe that is not read blocks the process.
        let (output, errors) = (try folder.file("stdout", ""), try folder.file("stderr", ""))
        process.standardInput = FileHandle(forReadingAtPath: input)
        process.standardOutput = FileHandle(forWritingAtPath: output)
        process.standardError = FileHandle(forWritingAtPath: errors)
        try process.run()
        process.waitUntilExit()
        return CommandResult(
            status: process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus,
            output: CommandResult.text(try Data(contentsOf: URL(filePath: output))),
            errors: CommandResult.text(try Data(contentsOf: URL(filePath: errors))))
    }

    /// A command that has not started.
    public func process(_ arguments: [String], variables: [String: String] = [:]) -> Process {
        let process = Process()
        process.executableURL = binary
        process.arguments = arguments
        process.environment = ["HOME": folder.path, "PATH": "/usr/bin:/bin"].merging(environment) { $1 }
            .merging(variables) { $1 }
        return process
    }
}
