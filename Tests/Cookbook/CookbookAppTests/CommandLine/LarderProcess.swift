import Foundation

/// Runs the built `larder` in a home folder of its own.
struct LarderProcess {
    struct Answer {
        let status: Int32
        let output: String
        let errors: String
    }

    let folder: TemporaryFolder
    /// Variables of the environment, beside the home folder.
    var environment: [String: String] = [:]

    init() throws {
        folder = try TemporaryFolder()
    }

    /// The binary beside the test bundle.
    private static var binary: URL {
        let test = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        return test.deletingLastPathComponent().appending(path: "larder")
    }

    /// Runs a command to its end.
    func callAsFunction(_ arguments: String..., input: String = "") throws -> Answer {
        try run(arguments, input: try folder.file("stdin", input))
    }

    /// Runs a command to its end; standard input is a file.
    func run(_ arguments: [String], variables: [String: String] = [:], input: String) throws -> Answer {
        let process = process(arguments, variables: variables)
        // Files rather than pipes: a pipe that nobody empties would stop the process.
        let (output, errors) = (try folder.file("stdout", ""), try folder.file("stderr", ""))
        process.standardInput = FileHandle(forReadingAtPath: input)
        process.standardOutput = FileHandle(forWritingAtPath: output)
        process.standardError = FileHandle(forWritingAtPath: errors)
        try process.run()
        process.waitUntilExit()
        return Answer(
            status: process.terminationStatus,
            output: Self.text(try Data(contentsOf: URL(filePath: output))),
            errors: Self.text(try Data(contentsOf: URL(filePath: errors))))
    }

    /// A command that waits to be run.
    func process(_ arguments: [String], variables: [String: String]) -> Process {
        let process = Process()
        process.executableURL = Self.binary
        process.arguments = arguments
        process.environment = ["HOME": folder.path, "PATH": "/usr/bin:/bin"].merging(environment) { $1 }
            .merging(variables) { $1 }
        return process
    }

    /// What was written, if it is text.
    static func text(_ bytes: some Collection<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self) ?? "(\(bytes.count) bytes that are no text)\n"
    }
}

extension LarderProcess {
    /// Two recipes in the home folder's own store.
    static func withRecipes() throws -> LarderProcess {
        let larder = try LarderProcess()
        let file = try larder.folder.file(
            "recipes.jsonl",
            #"""
            {"@type":"Recipe","identifier":"soup","name":"Soup","keywords":["hot","Fish"],"prepTime":"PT10M"}
            {"@type":"Recipe","identifier":"salad","name":"Salad","keywords":["cold","fish"],"cookTime":"PT50M"}

            """#)
        let answer = try larder("import", file)
        guard answer.status == 0 else { throw Failed(answer: answer) }
        return larder
    }

    struct Failed: Error {
        let answer: Answer
    }
}
