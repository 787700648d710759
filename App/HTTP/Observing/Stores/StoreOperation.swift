internal import LarderDomain

/// What is asked of a store, as metrics name it.
enum StoreOperation: String, CaseIterable, Sendable {
    /// One root by its id.
    case read
    /// Some roots by their ids.
    case readMany = "read_many"
    case query
    case counts
    case commit
}

extension PersistencyError {
    /// What became of an operation, as metrics name it: few words, however much can be said about an error.
    var outcome: String {
        switch self {
        case .cancelled: "cancelled"
        case .conflict, .contention: "conflict"
        case .duplicate: "duplicate"
        case .dangling: "dangling"
        case .unavailable(let trouble), .inDoubt(_, let trouble): trouble.reason.outcome
        case .notFound, .refused, .forbidden, .invalid, .unsupportedQuery, .unknownEntity, .alreadyOpen,
            .outsideTransaction, .incompatible:
            "refused"
        }
    }
}

extension Unavailable.Reason {
    /// The reason in one word of a metric or of an answer.
    var outcome: String {
        switch self {
        case .busy: "busy"
        case .closed: "closed"
        case .full: "full"
        case .readOnly: "read_only"
        case .tooLarge: "too_large"
        case .failed: "failed"
        }
    }
}
