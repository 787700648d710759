internal import LarderApp
internal import LarderDomain

/// Makes a new service usable: only an operator can issue tokens, so without a first one there would be no token.
struct FirstOperator: Sendable {
    let registry: any OperatorRegistry
    /// The name of the role, without an article: `admin`.
    let role: String
    /// The first operator, if there is none yet; `nil` if a setting must name one.
    private let name: String?
    private let isDevelopment: Bool

    init(_ registry: any OperatorRegistry, role: String, _ settings: ServiceSettings) {
        (self.registry, self.role, isDevelopment) = (registry, role, settings.isDevelopment)
        let isLocal = settings.server.isLoopback && settings.server.tls == .none
        name = settings.firstOperator ?? (isLocal ? registry.standardName : nil)
    }

    /// Checks before the service listens that there is an operator, or that one can be registered.
    ///
    /// - Throws: `CommandFailure` with the reason.
    func check() async throws {
        guard try await registry.operators().isEmpty else { return }
        let setting = "--\(Setting.firstOperator.name) or \(Setting.firstOperator.variable)"
        let advice = "Set \(setting) to \(registry.nameForm)."
        guard let name else {
            throw CommandFailure(
                .configuration, "there is no \(role), and no setting names the first one", advice: advice)
        }
        do {
            guard try await registry.isTaken(name) else { return }
        } catch let error as InvalidField {
            throw CommandFailure(.configuration, "'\(name)' cannot be the first \(role): \(error)", advice: advice)
        }
        throw CommandFailure(
            .conflict, "'\(name)' cannot be the first \(role): it exists with another role",
            advice: "Choose another with \(setting).")
    }

    /// As ``tokenToPrint()``, in a transaction: of processes that start at the same time on one store, one registers the
    /// first operator.
    static func tokenToPrint(
        _ manager: any PersistencyManager, _ make: (any PersistencyManager) throws -> FirstOperator?
    ) async throws -> (secret: TokenSecret, title: String)? {
        do {
            return try await manager.transaction { try await make($0)?.tokenToPrint() }
        } catch PersistencyError.duplicate {
            // Another process has registered it in the meantime.
            return try await manager.transaction { try await make($0)?.tokenToPrint() }
        }
    }

    /// The token to print at this start, with its title: a new one at each start for a developer, otherwise the first
    /// one of a new service. An operator is registered if there is none.
    private func tokenToPrint() async throws -> (secret: TokenSecret, title: String)? {
        let known = try await registry.operators()
        guard isDevelopment else {
            for id in known where try await registry.tokens.hasLiveToken(id) { return nil }
            return (try await token("first \(role)", known), "First \(role) token, shown only once")
        }
        let secret = try await token("development", known, lifetime: .seconds(86_400))
        return (secret, "Operator token for development, valid for one day")
    }

    private func token(
        _ label: String, _ known: [RawID], lifetime: Duration = AccessToken.standardLifetime
    ) async throws -> TokenSecret {
        let subject = if let first = known.first { first } else { try await registry.register(name ?? "") }
        return try await registry.tokens.issue(to: subject, label: label, lifetime: lifetime).secret
    }
}
