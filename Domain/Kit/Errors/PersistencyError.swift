/// Everything that keeping entities can fail with, so that a caller can switch over it exhaustively.
///
/// Except after `inDoubt`, nothing happened. Each case says what to do about it: `conflict` and `duplicate` are answers to the caller, `unavailable` may pass,
/// `incompatible` needs an operator, `outsideTransaction` and `unknownEntity` a programmer.
public enum PersistencyError: Error, Sendable {
    /// The task was cancelled before its commit began; nothing happened.
    case cancelled
    /// What should be there is not.
    case notFound(EntityReference)
    /// The id, or a value that is unique, is stored already.
    case duplicate(Duplicate)
    /// A reference names something that is not there, or what was to be deleted is still referred to.
    case dangling(Dangling)
    /// A delete rule of the schema forbids the deletion while other entities refer to it, or a rule of the domain forbids
    /// the change.
    case refused(by: Refusal)
    /// The caller may not do this.
    case forbidden(Forbidden)
    /// Somebody else changed it since it was read.
    case conflict(Conflict)
    /// A value that the domain or every store refuses, or one that was stored and does not fit its type.
    case invalid(InvalidField)
    /// The query has a part that cannot be answered exactly; the text names it.
    case unsupportedQuery(String)
    /// The entity type has no mapping in this manager.
    case unknownEntity(String)
    /// Something else has the store open for writing; the text names it.
    case alreadyOpen(holder: String)
    /// A manager was used inside a transaction that is not its own, or after its own ended.
    case outsideTransaction(String)
    /// The stored data is of another schema or another program; it was left untouched.
    case incompatible(String)
    /// A concurrent commit got in the way and nobody can say which entity both changed: a deadlock, or a serialization
    /// failure. Nothing happened; the change may succeed when it is made again.
    case contention(String)
    /// The commit may have been stored or not, for example because the device failed while it was written. The store's
    /// outcome for the commit id tells, where the store can know.
    case inDoubt(CommitID, Unavailable)
    /// The store cannot answer now. Nothing happened.
    case unavailable(Unavailable)
}
