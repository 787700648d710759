internal import LarderDomain

/// The answer to an operation, in comparable form.
enum Answer: Sendable, Equatable {
    /// Success without a result.
    case done
    case absent
    case stored(KeptItem)
    case saved(SaveOutcome, KeptItem)
    case found([KeptItem], total: Int?)
    case counted([String: Int])
    /// The number of entities that an update by query has changed.
    case changed(Int)
    case failed(Failure)

    /// The reason for a failure.
    enum Failure: Error, Sendable, Equatable {
        case notFound(EntityReference)
        case duplicate(Duplicate)
        case dangling(Dangling)
        case refused(Refusal)
        case conflict(Dispute)
        case invalid(entity: String, field: String)
        case cancelled
        /// An update by query.
        case unsupportedUpdate
        /// The body of a transaction threw its own error.
        case regret
        case other(String)
    }

    /// A conflict.
    struct Dispute: Sendable, Equatable {
        let reference: EntityReference
        let expected: Int64?
        let found: Int64?
        var base: Item?
        var mine: Item?
        var theirs: Item?
    }
}

/// An error of a transaction's body that is not a store's.
struct ChangeOfMind: Error {}

extension Answer.Failure {
    init(_ error: any Error) {
        switch error {
        case is ChangeOfMind: self = .regret
        case PersistencyError.cancelled: self = .cancelled
        case PersistencyError.unsupportedQuery(let what) where what.hasPrefix("an update of "):
            self = .unsupportedUpdate
        case PersistencyError.notFound(let reference): self = .notFound(reference)
        case PersistencyError.duplicate(let duplicate): self = .duplicate(duplicate)
        case PersistencyError.dangling(let dangling): self = .dangling(dangling)
        case PersistencyError.refused(let refusal): self = .refused(refusal)
        case PersistencyError.invalid(let field): self = .invalid(entity: field.entity, field: field.field)
        case PersistencyError.conflict(let conflict):
            self = .conflict(
                Answer.Dispute(
                    reference: conflict.reference, expected: conflict.expected, found: conflict.found,
                    base: Item(conflict.base), mine: Item(conflict.mine), theirs: Item(conflict.theirs)))
        default: self = .other("\(error)")
        }
    }
}

extension Answer.Failure: CustomStringConvertible {
    var description: String {
        switch self {
        case .notFound(let reference): "\(reference.short) not found"
        case .duplicate(let duplicate): "\(duplicate.entity) \(duplicate.columns) taken by \(duplicate.existing.low)"
        case .dangling(let dangling): "\(dangling.entity).\(dangling.column) refers to \(dangling.id.low)"
        case .refused(let refusal):
            "\(refusal.target.short) refused by \(refusal.entity).\(refusal.column) of \(refusal.example.low)"
        case .conflict(let dispute):
            "\(dispute.reference.short) expected \(dispute.expected.map(String.init) ?? "-"), "
                + "found \(dispute.found.map(String.init) ?? "-"), base \(short(dispute.base)), "
                + "mine \(short(dispute.mine)), theirs \(short(dispute.theirs))"
        case .invalid(let entity, let field): "\(entity).\(field) invalid"
        case .cancelled: "cancelled"
        case .unsupportedUpdate: "an update by query is not supported"
        case .regret: "the body's own error"
        case .other(let text): text
        }
    }
}

/// An optional item, without a version.
private func short(_ item: Item?) -> String { item.map { "\(KeptItem($0, 0))" } ?? "-" }

extension EntityReference {
    /// The ids of runs are small numbers.
    fileprivate var short: String { "\(entity) \(id.low)" }
}
