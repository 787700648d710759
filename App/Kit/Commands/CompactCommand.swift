public import ArgumentParser
internal import LarderData

/// `compact`: rewrites the log of a file store.
public struct CompactCommand<Program: ServiceProgram>: AsyncParsableCommand {
    public static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "compact",
            abstract: "Rewrites the log of a file store without superseded data.",
            discussion: """
                The store compacts its log automatically when more than half of it is superseded. Compaction needs \
                space for both logs; without it, the old log remains.
                """)
    }

    @OptionGroup var options: StoreOptions

    public init() {}

    public func run() async throws {
        let settings = try await options.settings()
        let bytes = try await settings.compact(try Program.schemas)
        try Terminal.output("The log had \(bytes.before) bytes and has \(bytes.after)")
    }
}
