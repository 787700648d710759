package import LarderDomain

/// A reference or link of an aggregate.
package struct OutgoingReference: Sendable {
    package let target: EntityReference
    /// Whether the aggregate owns the target.
    let isOwning: Bool
    /// The error if the target is missing; names the holder, which is the root or an owned object.
    package let dangling: Dangling
}

extension StorageObject {
    /// All references and links of the aggregate.
    package var outgoingReferences: [OutgoingReference] {
        var found: [OutgoingReference] = []
        if schema.refers { collectReferences(into: &found) }
        return found
    }

    private func collectReferences(into found: inout [OutgoingReference]) {
        func add(_ member: String, _ target: String, _ id: RawID, isOwning: Bool = false) {
            found.append(
                OutgoingReference(
                    target: EntityReference(entity: target, id: id), isOwning: isOwning,
                    dangling: Dangling(entity: schema.name, column: member, id: id)))
        }
        for (column, value) in zip(schema.columns, values) {
            guard let reference = column.reference, case .id(let id) = value else { continue }
            add(column.name, reference.target, id, isOwning: reference.isOwning)
        }
        for (link, ids) in zip(schema.links, links) {
            for id in ids { add(link.name, link.target, id) }
        }
        for child in children.joined() { child.collectReferences(into: &found) }
    }

    /// The roots that the aggregate owns through references.
    var ownedTargets: [EntityReference] {
        schema.ownsTargets ? outgoingReferences.filter(\.isOwning).map(\.target) : []
    }

    /// The references to all owned objects, at any depth. Ids of derived ones contain the owner, and are not checked.
    var ownedReferences: [EntityReference] {
        children.joined().filter { !$0.schema.isDerived }.flatMap { [$0.reference] + $0.ownedReferences }
    }
}
