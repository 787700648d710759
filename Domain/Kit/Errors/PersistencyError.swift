/// The errors of persistence, as a closed set: a caller can switch over them exhaustively.
///
/// Except for `inDoubt`, nothing was stored [error.1]. `conflict` and `duplicate` are for the caller, `unavailable` may
/// be transient, `incompatible` needs an operator, `outsideTransaction` and `unknownEntity` are programming errors.
public enum PersistencyError: Error, Sendable {
    /// The task was cancelled before its commit started. Nothing was stored [error.2].
    case cancelled
    /// A required entity is not stored [error.3].
    case notFound(EntityReference)
    /// The id or a unique value is already stored [error.4].
    case duplicate(Duplicate)
    /// A reference has no target, or a deleted target is still referred to [error.5].
    case dangling(Dangling)
    /// A delete rule of the schema forbids the deletion of a referenced entity [error.6], or a domain rule forbids the
    /// change.
    case refused(by: Refusal)
    /// The caller's policies do not permit the action.
    case forbidden(Forbidden)
    /// The entity was changed concurrently since it was read [error.7].
    case conflict(Conflict)
    /// A value that the domain or every store rejects [error.8], or a stored value that does not match its type
    /// [error.9].
    case invalid(InvalidField)
    /// Part of the query cannot be answered exactly [error.10]; the text names it.
    case unsupportedQuery(String)
    /// The entity type has no mapping in this manager [error.11].
    case unknownEntity(String)
    /// The store is already open for writing; the text names the holder.
    case alreadyOpen(holder: String)
    /// A manager was used inside the transaction of another manager [error.12], or after its own transaction ended
    /// [error.13].
    case outsideTransaction(String)
    /// The stored data has another schema or belongs to another program. It is unchanged [error.14].
    case incompatible(String)
    /// A concurrent commit interfered and the entity in conflict is unknown: a deadlock or a serialization failure.
    /// Nothing was stored; a retry may succeed [error.15].
    case contention(String)
    /// The commit may or may not be stored, for example after a device error during the write. The store's outcome for
    /// the commit id answers this, if the store can determine it [error.16].
    case inDoubt(CommitID, Unavailable)
    /// The store cannot answer at present. Nothing was stored [error.17].
    case unavailable(Unavailable)
}
