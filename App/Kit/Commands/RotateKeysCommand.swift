public import ArgumentParser

/// `rotate-keys`: encrypts the values of sealed columns again, with the first key.
public struct RotateKeysCommand<Program: ServiceProgram>: AsyncParsableCommand {
    public static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "rotate-keys",
            abstract: "Encrypts the values of sealed columns again, with the first key.",
            discussion: """
                All processes of the store must have the new key as their first one already, and the older keys after it. \
                Afterwards, the older keys can be removed. Backups that were made before still need them. A rotation that \
                was interrupted is continued by the same command.
                """)
    }

    @OptionGroup var options: StoreOptions

    public init() {}

    public func run() async throws {
        let settings = try await options.settings()
        try await options.record(act: "rotate keys")
        let count = try await settings.rotateKeys(try Program.schemas)
        try Terminal.output("\(counted(count, "object")) encrypted again with the first key")
    }
}
