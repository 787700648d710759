public import ArgumentParser
internal import LarderApp

/// `serve`: serves a program's API over its store.
public struct ServeCommand<Program: HTTPProgram>: AsyncParsableCommand {
    public static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "serve",
            abstract: "Serves \(Program.identity.title) over HTTP until it is stopped.",
            discussion: """
                A token identifies the caller of a request; see /docs. The first start issues a token to \
                \(Program.identity.operatorRole) and shows it once. SIGTERM and SIGINT stop the service: it finishes \
                the requests in progress and closes the store.
                """)
    }

    @OptionGroup var options: StoreOptions
    @OptionGroup var server: ServerOptions
    @OptionGroup var firstOperator: OperatorOptions
    @OptionGroup var others: Program.Options

    @Flag(help: "For development: prints the address and a token that is valid for one day.")
    var development = false

    public init() {}

    public func run() async throws { try await run(with: Program.container) }

    /// Serves with another container; tests use it.
    public func run(with container: Program.Composition) async throws {
        let flags = [server.flags, firstOperator.flags, others.flags].reduce(into: [:]) { $0.merge($1) { $1 } }
        let sources = try await options.unreportedSources(with: flags)
        var reader = SettingReader(sources)
        let settings = ServiceSettings(&reader, isDevelopment: development)
        let makeAPI = container.api(settings, &reader)
        try reader.check()
        let run = ServiceRun(
            settings, Program.identity, container, mappers: Program.mappers, evolution: Program.evolution,
            metrics: Program.metrics(), unknownVariables: sources.unknownVariables)
        try await run.untilStopped { manager in
            let api = try makeAPI(manager)
            try await api.firstOperator(settings)?.check()
            return api
        } onServing: { api, port in
            // Created only now, because the token is shown only once.
            let token = try await FirstOperator.tokenToPrint(api.service.manager) { manager in
                try makeAPI(manager).firstOperator(settings)
            }
            let address = settings.server.address(port: port)
            var lines = ["\(Program.identity.title) serves \(address)/ (API description: \(address)/docs)"]
            if let token { lines.append("\(token.title): \(token.secret.text)") }
            lines.append("Store: \(settings.store.location)")
            // The service continues if standard output is closed.
            for line in lines { try? Terminal.output(line) }
        }
    }
}

extension ServiceAPI {
    fileprivate func firstOperator(_ settings: ServiceSettings) -> FirstOperator? {
        operators.map { FirstOperator($0, role: identity.operatorNoun, settings) }
    }
}
