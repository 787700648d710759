public import ArgumentParser
internal import LarderData

/// `renew`: begins a new lifetime of a store's tokens.
public struct RenewCommand<Program: ServiceProgram>: AsyncParsableCommand {
    public static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "renew",
            abstract: "Ends all positions of clients in the changes of a store.",
            discussion: """
                Run it before the service is started on an older state of the store that was not put back by 'restore': \
                a copy of the files, a snapshot of the disk, a dump of the database, or a recovery to a point in time. \
                Clients that have followed later commits would otherwise miss the new ones; now they start again. The \
                data remains. No service may have the store open.
                """)
    }

    @OptionGroup var options: StoreOptions

    public init() {}

    public func run() async throws {
        let settings = try await options.settings()
        try await options.record(act: "renew")
        try await settings.renew(try Program.schemas)
        Terminal.warn("\(settings.location): positions from before are not valid any more")
    }
}
