internal import CookbookDomain
internal import HTTPTypes
internal import Hummingbird
internal import LarderApp
internal import LarderDomain
internal import LarderHTTP

/// What the routes work with: the one open store, as each caller may use it.
struct CookbookService: Sendable {
    /// The store's manager, without a guard.
    let manager: any PersistencyManager
    /// Makes what a caller works with, of the store's manager or of a transaction's.
    let openCookbook: @Sendable (any PersistencyManager, Caller, User?) -> OpenCookbook
    /// Whether somebody who is not known may read recipes, tags, brands and photos.
    let readingIsOpen: Bool
    /// How large bodies may be.
    let limits: ServerLimits
    /// Recognises tokens.
    let tokens: AccessTokens
    /// Keeps answers under idempotency keys.
    let answers: AnswerKeeper
    /// Response bodies that clients have not read yet.
    let outgoing = OutgoingBytes()
    /// Photos that are being sent: one of the largest, or several others.
    let photos = SharedValues<EntityID<Photo>, Photo>(bytes: 6 << 20, loads: 1) { $0.bytes.count }
    /// Bounds the pages of lists that are made at once, each of which takes several megabytes.
    let lists = WorkGate(4)
    /// Bounds the large bodies that are in memory at once.
    private let largeBodies = WorkGate(2)
    /// Bounds the pages of exports that are made at once.
    let exports = WorkGate(4)
    /// What nobody in particular works with, made once because most requests are nobody's.
    private let anonymous: OpenCookbook

    init(
        manager: any PersistencyManager, readingIsOpen: Bool, limits: ServerLimits, tokens: AccessTokens,
        answers: AnswerKeeper,
        openCookbook: @escaping @Sendable (any PersistencyManager, Caller, User?) -> OpenCookbook
    ) {
        self.manager = manager
        self.readingIsOpen = readingIsOpen
        self.limits = limits
        self.tokens = tokens
        self.answers = answers
        self.openCookbook = openCookbook
        anonymous = openCookbook(manager, .anonymous, nil)
    }

    /// What the one who asks works with.
    ///
    /// - Parameter isPrivate: Whether it is nothing for somebody who is not known.
    /// - Throws: `Problem` with 401 then.
    func cookbook(for context: CookbookContext, isPrivate: Bool) throws(Problem) -> OpenCookbook {
        guard !context.caller.isKnown else { return openCookbook(manager, context.caller, context.user) }
        guard readingIsOpen, !isPrivate else { throw .unknownCaller("Send a token: Authorization: Bearer TOKEN.") }
        return anonymous
    }

    /// Answers a POST; under an idempotency key once and for all, in one commit with what it changes.
    ///
    /// - Parameters:
    ///   - limit: The most bytes of the body; `nil` for the limit of most bodies.
    ///   - work: Does what is asked with the cookbook that it receives, and may run again.
    func posting(
        _ request: Request, _ context: CookbookContext, upTo limit: Int? = nil,
        _ work: (OpenCookbook, JSON) async throws -> Answer
    ) async throws -> Response {
        let cookbook = try cookbook(for: context, isPrivate: true)
        let sent = try await request.jsonBody(upTo: limit ?? limits.jsonBodyBytes)
        return try await loading(sent) { try await post(request, context, $0, in: cookbook, work) }
    }

    /// Works on the bytes of a body that has come, with at most two large ones in memory at once.
    func loading<Result>(_ body: Spool, _ work: ([UInt8]) async throws -> Result) async throws -> Result {
        guard body.count > body.bytesInMemory else { return try await work(try body.bytes()) }
        return try await largeBodies.pass { try await work(try body.bytes()) }
    }

    private func post(
        _ request: Request, _ context: CookbookContext, _ bytes: [UInt8], in cookbook: OpenCookbook,
        _ work: (OpenCookbook, JSON) async throws -> Answer
    ) async throws -> Response {
        let body = try JSON(parsing: bytes)
        guard let key = request.headers[.idempotencyKey] else {
            return Response(try await body.locatingReferences { try await work(cookbook, body) })
        }
        // By the id alone: a role may change between two tries.
        let caller = context.caller.userID?.description ?? ""
        let scope = AnswerScope(caller: caller, method: request.method.rawValue, route: context.canonicalPath)
        let (answer, isReplay) = try await body.locatingReferences {
            try await answers.answer(scope: scope, key: key, requestDigest: bytes.sha256, manager: manager) {
                try await work(openCookbook($0, context.caller, context.user), body)
            }
        }
        var response = Response(answer)
        if isReplay { response.headers[.idempotentReplayed] = "true" }
        return response
    }

    /// Refuses an idempotency key where no answer is kept under one.
    func refuseIdempotencyKey(_ request: Request, _ reason: String) throws(Problem) {
        if request.headers[.idempotencyKey] != nil { throw .badRequest("Leave out Idempotency-Key: \(reason)") }
    }
}

extension Problem {
    /// It must be known who asks.
    static func unknownCaller(_ detail: String) -> Problem {
        Problem(.unauthorized, detail, headers: [.wwwAuthenticate: "Bearer realm=\"larder\""])
    }
}

extension HTTPField.Name {
    static let idempotencyKey = HTTPField.Name("Idempotency-Key") ?? .accept
    static let idempotentReplayed = HTTPField.Name("Idempotent-Replayed") ?? .accept
}
