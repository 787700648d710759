internal import HTTPTypes
internal import Hummingbird
public import LarderApp
internal import LarderDomain

extension Problem {
    /// The problem for an error; `nil` if the error is a failure of the service itself.
    public init?(_ error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let error as any ProblemConvertible: self = error.problem
        case let error as any ServiceError: self.init(service: error)
        case let error as PersistencyError: self.init(persistency: error)
        case let field as InvalidField: self.init(invalid: [FieldError(field)])
        case let fields as InvalidFields: self.init(invalid: fields.errors, isComplete: fields.isComplete)
        case let error as JSONError where error.isAboutText:
            self.init(invalid: [FieldError(pointer: error.pointer ?? "", detail: error.reason)])
        case let error as JSONError where error.isAboutCount:
            self.init(.contentTooLarge, "The body has more than 100,000 values; send it in parts.")
        case let error as JSONError: self.init(.badRequest, "The body is not JSON: \(error)")
        case let refusal as ResponseRefusal: self.init(keyed: refusal)
        case let refusal as FeedRefusal: self.init(feed: refusal)
        case let error as any HTTPResponseError: self.init(framework: error)
        case SpoolError.full: self.init(.contentTooLarge, "The body is too large.", closesConnection: true)
        case SpoolError.noSpace(let refusal):
            self.init(refusal, of: "bytes in bodies", retryAfter: 5)
            closesConnection = true
        case is SpoolError:
            self.init(.storeUnavailable, "The service has no space for the body.", headers: [.retryAfter: "30"])
        case is ClientGone: self.init(.badRequest, "The body ended prematurely.", closesConnection: true)
        default: return nil
        }
    }

    /// Describes invalid fields of the body.
    ///
    /// - Parameters:
    ///   - errors: The errors, in the order of reading.
    ///   - isComplete: Whether these are all errors.
    public init(invalid errors: [FieldError], isComplete: Bool = true) {
        let count = counted(errors.count, "invalid field")
        self.init(.invalidFields, "The body has \(isComplete ? count : "more than \(count)").", errors: errors)
    }

    private init?(persistency error: PersistencyError) {
        switch error {
        case .notFound(let reference): self.init(.notFound, "The \(reference) does not exist.".spoken)
        case .duplicate(let duplicate):
            let errors = duplicate.columns.map { FieldError(column: $0, "is already in use") }
            self.init(.conflict, "Another \(duplicate.entity) already uses this value.".spoken, errors: errors)
        case .dangling(let dangling):
            self.init(invalid: [FieldError(dangling)])
        case .refused(let refusal):
            let reason = refusal.rule ?? "is still referenced by a \(refusal.entity)"
            self.init(.conflict, "The \(refusal.target) \(reason).".spoken)
        case .forbidden(let what): self.init(.forbidden, "Permission denied: \(what).".spoken)
        case .conflict(let conflict): self.init(.conflict, "\(conflict.reference) was changed concurrently.".spoken)
        case .invalid(let field): self.init(invalid: [FieldError(field)])
        case .unsupportedQuery(let what): self.init(.badRequest, "Unsupported query: \(what).")
        case .unavailable(let trouble) where trouble.reason == .tooLarge:
            self.init(.contentTooLarge, "The change exceeds the size limit of a commit.")
        case .unavailable(let trouble), .inDoubt(_, let trouble): self.init(unavailable: trouble.reason)
        case .cancelled, .alreadyOpen, .contention: self.init(unavailable: .busy)
        case .unknownEntity, .outsideTransaction, .incompatible: return nil
        }
    }

    private init(unavailable reason: Unavailable.Reason) {
        let detail =
            switch reason {
            case .busy: "The store is busy; try again."
            case .full: "The store is full; reads still work."
            case .readOnly: "The store is read-only; reads still work."
            case .closed: "The store is closed."
            case .unreachable: "The store cannot be reached at present; try again."
            case .tooLarge, .failed: "The store failed."
            }
        let isShort = reason == .busy || reason == .unreachable
        self.init(.storeUnavailable, detail, headers: [.retryAfter: isShort ? "1" : "30"])
    }

    private init(keyed refusal: ResponseRefusal) {
        let kind: Kind =
            switch refusal {
            case .invalidKey: .badRequest
            case .inProgress: .requestInProgress
            case .reused: .idempotencyKeyReused
            case .quotaExceeded: .idempotencyQuotaExceeded
            }
        var headers: HTTPFields = [:]
        if case .quotaExceeded(_, let time) = refusal {
            headers[.retryAfter] = "\(max(time.components.seconds + 1, 1))"
        }
        if case .inProgress = refusal { headers[.retryAfter] = "1" }
        self.init(kind, "\(refusal).".capitalizedFirst, headers: headers)
    }

    private init(feed refusal: FeedRefusal) {
        switch refusal {
        case .tooManySubscribers(let refusal): self.init(refusal, of: "change streams", retryAfter: 30)
        case .ended: self.init(.shuttingDown, "The service is shutting down.", headers: [.retryAfter: "5"])
        }
    }

    /// An error of Hummingbird, or of a library for it.
    private init?(framework error: any HTTPResponseError) {
        let kind = Kind.allCases.first { $0.status == error.status } ?? .badRequest
        guard kind != .internalError, error.status.code < 500 || kind != .badRequest else { return nil }
        let error = error as? HTTPError
        self.init(kind, error?.body ?? "\(kind.title).", headers: error?.headers ?? [:])
    }
}

extension FieldError {
    init(_ field: InvalidField) {
        self.init(pointer: "/" + field.field, detail: field.reason)
    }

    /// Describes an invalid value of the member that a column stores.
    init(column: String, _ detail: String) {
        self.init(pointer: "/" + column.memberName, detail: detail)
    }

    /// Describes a dangling reference; without a pointer, it may be anywhere in the body.
    init(_ dangling: Dangling, at pointer: String = "") {
        self.init(pointer: pointer, detail: "refers to a missing object: \(dangling.id)")
    }
}

extension String {
    /// The name of the member that a column of this name stores: `name_folded` stores `name`, `folded_email` and
    /// `unique_email` store `email`, `owner_id` stores `owner`.
    var memberName: String {
        var words = split(separator: "_")
        if words.count > 1, ["folded", "unique"].contains(words[0]) { words.removeFirst() }
        if words.count > 1, ["folded", "id"].contains(words.last) { words.removeLast() }
        return words.enumerated().map { $0 == 0 ? String($1) : $1.prefix(1).uppercased() + $1.dropFirst() }.joined()
    }
}

extension String {
    /// The name with spaces instead of underscores: a schema uses names such as cooking_session.
    fileprivate var spoken: String { replacing("_", with: " ") }
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
