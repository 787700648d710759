internal import ArgumentParser
internal import LarderApp

/// A command that opens the cookbook's store.
protocol CookbookCommand: AsyncParsableCommand {
    /// Which store.
    var options: StoreOptions { get }

    /// Does the work.
    func run(in cookbook: OpenCookbook) async throws
}

extension CookbookCommand {
    func run() async throws { try await run(with: Container()) }

    /// Runs with another container, as tests do.
    func run(with container: Container) async throws {
        let sources = try await options.sources()
        let settings = try StoreSettings(sources)
        do {
            try await container.withCookbook(settings, as: try sources.value(of: .caller).value) {
                try await run(in: $0)
            }
        } catch let failure as CommandFailure where failure.status == .notFound && settings.location == .memory {
            throw CommandFailure(
                .notFound, failure.message,
                advice:
                    "A store in memory begins empty with each command; name one that lasts with --store sqlite:PATH.")
        }
    }
}
