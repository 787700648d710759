internal import ArgumentParser
internal import LarderApp
internal import LarderDomain

/// A command that opens the cookbook's store.
protocol CookbookCommand: AsyncParsableCommand {
    var options: StoreOptions { get }

    /// The equivalent HTTP request, for a store that is being served.
    static var httpWay: String { get }

    /// The names of arguments, keyed by the fields of the entity that the command creates; error messages use them.
    static var fields: [String: String] { get }

    func run(in cookbook: OpenCookbook) async throws
}

/// A command that only reads; it can read a SQLite database while another process writes. It does not create a missing
/// named store.
protocol ReadingCommand: CookbookCommand {}

extension CookbookCommand {
    static var fields: [String: String] { [:] }

    func run() async throws { try await run(with: Larder.container) }

    /// Runs with another container; tests use it.
    func run(with container: Container) async throws {
        let sources = try await options.sources()
        var settings = try StoreSettings(sources)
        settings.isReadOnly = self is any ReadingCommand
        if settings.isReadOnly { try Self.requireStore(settings, sources) }
        do {
            try await container.withCookbook(settings, as: try sources.value(of: .caller).value) { cookbook in
                do {
                    try await run(in: cookbook)
                } catch PersistencyError.forbidden(let what) {
                    throw try await cookbook.refusal(of: what)
                }
            }
        } catch PersistencyError.alreadyOpen(let holder) {
            throw CommandFailure(
                .busy, PersistencyError.alreadyOpen(holder: holder).description,
                advice: "If it is 'larder serve', use \(Self.httpWay); otherwise stop it, or choose another --store.")
        } catch let failure as CommandFailure where failure.status == .notFound && settings.location == .memory {
            throw CommandFailure(
                .notFound, failure.message,
                advice: """
                    A store in memory is empty when a command starts; use a persistent one with --store sqlite:PATH, \
                    file:DIR, or postgres://….
                    """)
        } catch {
            throw Self.refusal(of: error) ?? error
        }
    }

    /// The default store is created if missing; a named store that is missing is assumed to be misspelt.
    private static func requireStore(_ settings: StoreSettings, _ sources: SettingSources) throws {
        let source = try sources.value(of: .store).source
        guard source != .standard, let path = settings.location.missingPath else { return }
        throw CommandFailure(
            .notFound, "no store exists at \(path)",
            advice: "Check \(source == .flag ? "--store" : "the \(source)"); 'larder import' creates one.")
    }

    private static func refusal(of error: any Error) -> CommandFailure? {
        let field: InvalidField? =
            switch error {
            case let field as InvalidField: field
            case PersistencyError.invalid(let field): field
            default: nil
            }
        guard let field, let name = fields[field.field] else { return nil }
        return CommandFailure(.usage, "\(name) \(field.reason)")
    }
}
