public import ArgumentParser

/// `promote`: makes a mirror of a mirrored store the primary.
public struct PromoteCommand<Program: ServiceProgram>: AsyncParsableCommand {
    public static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "promote",
            abstract: "Makes a mirror of a mirrored store the primary.",
            discussion: """
                End the service first. The mirror must have all commits of the old primary and of the other mirrors, if \
                they can be opened. The old primary cannot be used as a primary afterwards.
                """)
    }

    @OptionGroup var options: StoreOptions

    @Argument(help: "The mirror, as in the setting of the store: file:DIR.")
    var mirror: String

    @Flag(help: "Promote the mirror even if it does not have all commits, which are lost then.")
    var losing = false

    public init() {}

    public func run() async throws {
        let settings = try await options.settings()
        let location: StoreLocation
        do {
            location = try StoreLocation(mirror, environment: .current)
            try location.checkCommandLine()
        } catch {
            throw CommandFailure(.usage, "\(error)")
        }
        try await options.record(act: "promote", ["mirror": "\(location)"])
        for message in try await settings.promote(location, losing: losing, try Program.schemas) {
            Terminal.warn(message)
        }
        try Terminal.output(
            "\(location) is the primary: set \(Setting.store.variable) to it. To mirror it, name empty stores after it: "
                + "mirrored(\(location.memberText), …)")
    }
}
