public import ArgumentParser
internal import LarderData

/// `compact`: rewrites the log of a file store.
public struct CompactCommand<Program: ServiceProgram>: AsyncParsableCommand {
    public static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "compact",
            abstract: "Writes the log of a file store anew, without what was changed or deleted since.",
            discussion: """
                The store does so by itself when more than half of its log is of no use any more. It needs room for both \
                logs; without, the old one stays.
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
