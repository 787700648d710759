internal import LarderDomain

/// The operations of a store, as labels of metrics.
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
    /// The outcome of an operation, as a label of metrics: few values, independent of an error's details.
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
    /// The reason in one word, for a metric or a response.
    var outcome: String {
        switch self {
        case .busy: "busy"
        case .closed: "closed"
        case .full: "full"
        case .readOnly: "read_only"
        case .tooLarge: "too_large"
        case .unreachable: "unreachable"
        case .failed: "failed"
        }
    }
}
