public import ArgumentParser
internal import CoreMetrics
public import LarderApp
internal import LarderData
internal import LarderDomain
public import LarderFollowers
public import LarderHTTP

/// `followers`: lists the followers and recurring work of a store, and continues followers that have failed.
public struct FollowersCommand<Program: HTTPProgram>: AsyncParsableCommand
where Program.Composition: FollowersContainer {
    public static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "followers",
            abstract: "Lists followers and recurring work, and continues followers that have failed.",
            discussion: """
                The list may be printed while a service runs. --retry, --skip and --reset write: with a store that only one \
                process may open, stop the service before. --retry runs the handler in this process.
                """)
    }

    @OptionGroup var options: StoreOptions
    @OptionGroup var others: Program.Options

    @Argument(help: "The follower; without one of the operations, its commits that were set aside are listed.")
    var name: String?

    @Flag(help: "The operation.")
    var operation: FollowerOperation?

    @Flag(help: "Print JSON.")
    var json = false

    public init() {}

    public func validate() throws {
        if operation != nil, name == nil { throw ValidationError("Missing: the name of the follower.") }
    }

    public func run() async throws { try await run(with: Program.container) }

    /// Runs with another container; tests use it.
    public func run(with container: Program.Composition) async throws {
        var reader = SettingReader(try await options.sources(with: others.flags))
        let settings = ServiceSettings(&reader, isDevelopment: false)
        let makeAPI = container.api(settings, &reader)
        try reader.check()
        var store = settings.store
        (store.isReadOnly, store.createsNothing) = (operation == nil, operation == nil)
        let mappers = try MapperSet(Program.mappers, evolution: Program.evolution)
        let opened = try await container.openStore(store, mappers.schemas)
        let layers = container.layers(over: opened, mappers, StoreMetrics(NOOPMetricsHandler.instance))
        do {
            try await run(over: container.followers(of: makeAPI(layers.manager), over: layers))
        } catch {
            await layers.cache.close()
            throw error
        }
        await layers.cache.close()
    }

    private func run(over followers: Followers) async throws {
        guard let name else { return try await list(followers) }
        if let operation { try await options.record(act: "\(operation) follower", ["follower": name]) }
        switch operation {
        case nil: try await listFailures(of: name, followers)
        case .retry:
            let count: Int
            do {
                count = try await followers.retry(name)
            } catch {
                throw CommandFailure(error) ?? CommandFailure(.checkFailed, "\(name) has failed again: \(error)")
            }
            try Terminal.output("\(counted(count, "commit")) of \(name) handled; a stopped follower starts again")
        case .skip:
            let hasFailed = try await followers.skip(name)
            try Terminal.output("\(name) \(hasFailed ? "skips its next commit" : "has not failed; nothing is skipped")")
        case .reset:
            try await followers.reset(name)
            try Terminal.output("\(name) starts again as a new follower")
        }
    }

    private func list(_ followers: Followers) async throws {
        let items =
            try await followers.statuses().map { FollowerLine($0) }
            + followers.recurringStates().map { FollowerLine($0) }
        try Terminal.output(
            items, asJSON: json,
            [.init("NAME", isKey: true), .init("STATE"), .init("LAG"), .init("SET ASIDE"), .init("LAST FAILURE")],
            row: { [$0.name, $0.state, $0.lag, $0.setAside.map(String.init) ?? "", $0.failure ?? ""] },
            json: { $0.json })
    }

    private func listFailures(of name: String, _ followers: Followers) async throws {
        try Terminal.output(
            try await followers.setAside(name), asJSON: json,
            [.init("COMMIT", isKey: true), .init("TIME"), .init("FAILURE")],
            row: { ["\($0.token)", $0.commit.creationTime?.description ?? "", $0.failure] },
            json: { .sorted(["commit": "\($0.token)", "time": $0.commit.creationTime, "failure": $0.failure]) })
    }
}

/// An operation on a follower.
enum FollowerOperation: EnumerableFlag {
    case retry, skip, reset

    static func help(for value: FollowerOperation) -> ArgumentHelp? {
        switch value {
        case .retry: "Handle the commits that were set aside, and start a stopped follower."
        case .skip: "Skip the next commit of a follower that has failed at it."
        case .reset: "Forget the position and the commits that were set aside."
        }
    }
}

extension FollowerError: ServiceError {
    /// The exit status of a command.
    public var exitStatus: ExitStatus {
        switch self {
        case .unknown: .notFound
        case .noHandler, .otherEntities: .conflict
        case .repeatedName, .missingMappers: .internalError
        }
    }
    /// The problem and what to do.
    public var message: String { description }
}
