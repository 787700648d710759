internal import LarderApp
internal import LarderHTTP

extension Container {
    /// Serves the cookbook until the process is told to stop, and closes the store.
    ///
    /// - Throws: `CommandFailure` for an address that is not available; errors of opening the store.
    func serve(_ settings: CookbookSettings) async throws {
        let run = ServiceRun(
            settings.service, Larder.identity, mappers: Self.mappers, openStore: openStore, makeManager: makeManager)
        try await run.untilStopped { manager in
            let api = api(over: manager, settings.service.server, photoBytes: settings.photoBytes)
            try await FirstAdmin(api.system, settings).check()
            return api
        } onServing: { api, port in
            // Created no sooner: the token is shown only once.
            let token = try await FirstAdmin(api.system, settings).tokenToShow()
            announce(settings.service, port: port, token)
        }
    }

    /// Prints the address and the token.
    private func announce(
        _ settings: ServiceSettings, port: Int, _ token: (secret: TokenSecret, title: String)?
    ) {
        let address = settings.server.address(port: port)
        var lines = ["\(Larder.identity.title) serves \(address)/ and describes itself at \(address)/docs"]
        if let token { lines.append("\(token.title): \(token.secret.text)") }
        lines.append("Kept in \(settings.store.location)")
        // A closed standard output is no reason to stop.
        for line in lines { try? Terminal.output(line) }
    }
}
