internal import Crypto
public import LarderDomain

/// The former name of ``ResponseContent``.
@available(*, deprecated, renamed: "ResponseContent")
public typealias Answer = ResponseContent
/// The former name of ``ResponseFields``.
@available(*, deprecated, renamed: "ResponseFields")
public typealias AnswerFields = ResponseFields
/// The former name of ``ResponseKeeper``.
@available(*, deprecated, renamed: "ResponseKeeper")
public typealias AnswerKeeper = ResponseKeeper
/// The former name of ``ResponseLimits``.
@available(*, deprecated, renamed: "ResponseLimits")
public typealias AnswerLimits = ResponseLimits
/// The former name of ``ResponseRefusal``.
@available(*, deprecated, renamed: "ResponseRefusal")
public typealias AnswerRefusal = ResponseRefusal
/// The former name of ``ResponseScope``.
@available(*, deprecated, renamed: "ResponseScope")
public typealias AnswerScope = ResponseScope
/// The former name of ``StoredResponse``.
@available(*, deprecated, renamed: "StoredResponse")
public typealias StoredAnswer = StoredResponse
/// The former name of ``StoredResponseMapper``.
@available(*, deprecated, renamed: "StoredResponseMapper")
public typealias StoredAnswerMapper = StoredResponseMapper

extension StoredResponse {
    /// The former form of `content`.
    @available(*, deprecated, renamed: "content")
    public var answer: ResponseContent { content }
}

extension ResponseKeeper {
    /// The former form of `response`.
    @available(*, deprecated, renamed: "response(scope:key:requestDigest:quota:manager:make:)")
    public func answer(
        scope: ResponseScope, key: String, requestDigest: [UInt8], quota: Int = 10_000,
        manager: any PersistencyManager, make: (any PersistencyManager) async throws -> ResponseContent
    ) async throws -> (answer: ResponseContent, isReplay: Bool) {
        let (content, isReplay) = try await response(
            scope: scope, key: key, requestDigest: requestDigest, quota: quota, manager: manager, make: make)
        return (content, isReplay)
    }
}

extension ResourceService {
    /// The former form of `responses`.
    @available(*, deprecated, renamed: "responses")
    public var answers: ResponseKeeper { responses }

    /// The former form of `init`.
    @available(*, deprecated, renamed: "init(manager:authenticator:readingIsOpen:limits:responses:scope:)")
    public init(
        manager: any PersistencyManager, authenticator: any Authenticator<Caller>, readingIsOpen: Bool,
        limits: ServerLimits, answers: ResponseKeeper,
        scope: @escaping @Sendable (any PersistencyManager, Caller?) -> Scope
    ) {
        self.init(
            manager: manager, authenticator: authenticator, readingIsOpen: readingIsOpen, limits: limits,
            responses: answers, scope: scope)
    }
}

extension [UInt8] {
    /// The SHA-256 of the bytes, 32 bytes.
    @available(*, deprecated, message: "Use SHA256.hash(data:) of swift-crypto.")
    public var sha256: [UInt8] { Array(SHA256.hash(data: self)) }
}
