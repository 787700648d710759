/// The errors of persistence, as a closed set: a caller can switch over them exhaustively.
///
/// Except for `inDoubt`, nothing was stored. `conflict` and `duplicate` are for the caller, `unavailable` may be
/// transient, `incompatible` needs an operator, `outsideTransaction` and `unknownEntity` are programming errors.
public enum PersistencyError: Error, Sendable {
    /// The task was cancelled before its commit started. Nothing was stored.
    case cancelled
    /// A required entity is not stored.
    case notFound(EntityReference)
    /// The id or a unique value is already stored.
    case duplicate(Duplicate)
    /// A reference has no target, or a deleted target is still referred to.
    case dangling(Dangling)
    /// A delete rule of the schema forbids the deletion of a referenced entity, or a domain rule forbids the change.
    case refused(by: Refusal)
    /// The caller's policies do not permit the action.
    case forbidden(Forbidden)
    /// The entity was changed concurrently since it was read.
    case conflict(Conflict)
    /// A value that the domain or every store rejects, or a stored value that does not match its type.
    case invalid(InvalidField)
    /// Part of the query cannot be answered exactly; the text names it.
    case unsupportedQuery(String)
    /// The entity type has no mapping in this manager.
    case unknownEntity(String)
    /// The store is already open for writing; the text names the holder.
    case alreadyOpen(holder: String)
    /// A manager was used inside the transaction of another manager, or after its own transaction ended.
    case outsideTransaction(String)
    /// The stored data has another schema or belongs to another program. It is unchanged.
    case incompatible(String)
    /// A concurrent commit interfered and the entity in conflict is unknown: a deadlock or a serialization failure.
    /// Nothing was stored; a retry may succeed.
    case contention(String)
    /// The commit may or may not be stored, for example after a device error during the write. The store's outcome for
    /// the commit id answers this, if the store can determine it.
    case inDoubt(CommitID, Unavailable)
    /// The store cannot answer at present. Nothing was stored.
    case unavailable(Unavailable)
}
