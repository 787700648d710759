internal import Crypto
public import HTTPTypes
public import Hummingbird
public import LarderApp
public import LarderDomain

/// The parts of a service that its routes share: the open store, with a scope for each caller, and bounds on memory.
///
/// A `Scope` has the repositories and use cases of one caller. It is made for each request, and again for the manager
/// of a transaction.
public struct ResourceService<Caller: ServiceCaller, Scope: Sendable>: Sendable {
    /// The store's manager, without a guard.
    public let manager: any PersistencyManager
    /// Makes the scope of a caller, over the store's manager or a transaction's; `nil` is an anonymous caller.
    public let scope: @Sendable (any PersistencyManager, Caller?) -> Scope
    /// Identifies callers.
    public let authenticator: any Authenticator<Caller>
    /// Whether anonymous callers may read resources that are not private.
    public let readingIsOpen: Bool
    /// The limits on bodies and requests.
    public let limits: ServerLimits
    /// Stores responses under idempotency keys.
    public let responses: ResponseKeeper
    /// The attempts at a change with `If-Match: *` that concurrent changes invalidate.
    public var retry = RetryPolicy()
    /// Response bodies that clients have not read yet.
    public let outgoing = OutgoingBytes()
    /// The JSON of resources that keep it.
    let representations = KeptRepresentations()
    /// Bounds the pages of lists and exports that are made at the same time. Each takes up to 16 entities beyond a
    /// million bytes (`Query.byteLimit`), and one of the four threads on which a store scans: one thread remains for the
    /// queries of changes, and one for known callers.
    public let lists = WorkGate(3, perCaller: 2, anonymous: 2)
    /// Bounds the large bodies that are in memory at the same time, and leaves a thread to other requests.
    private let largeBodies = WorkGate(RequestThreads.shared.count - 1)
    private let longReads = LongReads()
    /// Lets one read of each entity pass.
    private let firstReads = WorkGate(.max, perCaller: 1)
    /// Reused, because most requests are anonymous.
    private let anonymous: Scope

    /// Makes the parts of a service, with the scope of anonymous callers.
    public init(
        manager: any PersistencyManager, authenticator: any Authenticator<Caller>, readingIsOpen: Bool,
        limits: ServerLimits, responses: ResponseKeeper,
        scope: @escaping @Sendable (any PersistencyManager, Caller?) -> Scope
    ) {
        (self.manager, self.authenticator, self.readingIsOpen) = (manager, authenticator, readingIsOpen)
        (self.limits, self.responses, self.scope) = (limits, responses, scope)
        anonymous = scope(manager, nil)
    }

    /// The scope of the request's caller.
    ///
    /// - Parameters:
    ///   - context: The context of the request.
    ///   - isPrivate: Whether anonymous callers are refused even if reading is open.
    /// - Throws: `Problem` with 401 for an anonymous caller that is refused.
    public func scope(for context: CallerContext<Caller>, isPrivate: Bool) throws(Problem) -> Scope {
        guard context.caller == nil else { return scope(context.reader ?? manager, context.caller) }
        guard readingIsOpen, !isPrivate else { throw .unauthenticated("Send a token: Authorization: Bearer TOKEN.") }
        return context.reader.map { scope($0, nil) } ?? anonymous
    }

    /// Responds to a POST; under an idempotency key exactly once, in one commit with the changes.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - context: Its context, with the caller.
    ///   - limit: The maximum size of the body in bytes; `nil` for ``ServerLimits/jsonBodyBytes``.
    ///   - id: The entity that the work changes, see ``loading(_:changing:_:)``.
    ///   - check: Throws for a caller without permission, before the body is read.
    ///   - work: Executes the request in the scope that it receives. It may run again, so it has no other effects.
    public func posting(
        _ request: Request, _ context: CallerContext<Caller>, upTo limit: Int? = nil, changing id: RawID? = nil,
        requiring check: (Scope) async throws -> Void = { _ in }, _ work: (Scope, JSON) async throws -> ResponseContent
    ) async throws -> Response {
        let scope = try scope(for: context, isPrivate: true)
        try await check(scope)
        let sent = try await request.jsonBody(upTo: limit ?? limits.jsonBodyBytes)
        return try await loading(sent, changing: id) { try await post(request, context, $0, in: scope, work) }
    }

    /// Processes the bytes of a received body, as ``working(on:_:)``.
    ///
    /// - Parameters:
    ///   - body: The received body.
    ///   - id: The entity that the work changes. If its representation is known to be long, so is the work.
    ///   - work: Receives the bytes.
    public func loading<Result>(
        _ body: Spool, changing id: RawID? = nil, _ work: ([UInt8]) async throws -> Result
    ) async throws -> Result {
        let isLong = id.flatMap(longReads.isLong) ?? false
        return try await working(on: max(body.count, isLong ? Spool.pieceSize : 0)) {
            try await work(try body.bytes())
        }
    }

    /// Runs work that grows with a number of bytes. Work on more than 64 KiB waits until at least one of the
    /// ``RequestThreads`` remains for other requests. It must not call this function again.
    public func working<Result>(on bytes: Int, _ work: () async throws -> Result) async throws -> Result {
        guard bytes >= Spool.pieceSize else { return try await work() }
        return try await largeBodies.pass(work)
    }

    /// Makes the response to a read of one entity. If the last one was long, the read waits as in ``working(on:_:)``. If
    /// the length is unknown, it waits for another first read, so that one client at a time finds the length out.
    ///
    /// - Parameter work: Returns the response, and the length of the representation; the length may be `nil` if the
    ///   argument is `true`.
    func reading(
        _ id: RawID, _ work: (_ isLengthKnown: Bool) async throws -> (response: Response, length: Int?)
    ) async throws -> Response {
        if longReads.isLong(id) == nil {
            let first = try await firstReads.pass(for: "\(id)") { () async throws -> Response? in
                guard longReads.isLong(id) == nil else { return nil }
                return try await noting(id) { try await work(false) }
            }
            if let first { return first }
        }
        return try await working(on: longReads.isLong(id) == true ? Spool.pieceSize : 0) {
            try await noting(id) { try await work(true) }
        }
    }

    private func noting(
        _ id: RawID, _ work: () async throws -> (response: Response, length: Int?)
    ) async throws -> Response {
        let (response, length) = try await work()
        if let length { noteLength(length, of: id) }
        return response
    }

    /// Notes the length of the representation of an entity.
    func noteLength(_ length: Int, of id: RawID) { longReads.note(id, isLong: length >= Spool.pieceSize) }

    private func post(
        _ request: Request, _ context: CallerContext<Caller>, _ bytes: [UInt8], in ownScope: Scope,
        _ work: (Scope, JSON) async throws -> ResponseContent
    ) async throws -> Response {
        let body = try JSON(parsing: bytes)
        guard let key = request.headers[.idempotencyKey] else {
            return Response(try await body.locatingReferences { try await work(ownScope, body) })
        }
        let place = ResponseScope(
            caller: context.caller?.key ?? "", method: request.method.rawValue, route: context.canonicalPath)
        let (content, isReplay) = try await body.locatingReferences {
            try await responses.response(
                scope: place, key: key, requestDigest: Array(SHA256.hash(data: bytes)), quota: limits.keysPerCaller,
                manager: manager
            ) { try await work(scope($0, context.caller), body) }
        }
        var response = Response(content)
        if isReplay { response.headers[.idempotentReplayed] = "true" }
        return response
    }

    /// Refuses an idempotency key on a route whose responses are not stored.
    public func refuseIdempotencyKey(_ request: Request, _ reason: String) throws(Problem) {
        if request.headers[.idempotencyKey] != nil { throw .badRequest("Omit Idempotency-Key: \(reason)") }
    }
}

extension HTTPField.Name {
    /// The header field that identifies a request, so that a retry has no further effect.
    public static let idempotencyKey = HTTPField.Name("Idempotency-Key") ?? .accept
    /// `true` in a response that was stored before.
    public static let idempotentReplayed = HTTPField.Name("Idempotent-Replayed") ?? .accept
}
