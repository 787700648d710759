package import LarderDomain

/// A reference or link of an aggregate.
package struct OutgoingReference: Sendable {
    package let target: EntityReference
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
        func add(_ member: String, _ target: String, _ id: RawID) {
            found.append(
                OutgoingReference(
                    target: EntityReference(entity: target, id: id),
                    dangling: Dangling(entity: schema.name, column: member, id: id)))
        }
        for (column, value) in zip(schema.columns, values) {
            guard let reference = column.reference, case .id(let id) = value else { continue }
            add(column.name, reference.target, id)
        }
        for (link, ids) in zip(schema.links, links) {
            for id in ids { add(link.name, link.target, id) }
        }
        for child in children.joined() { child.collectReferences(into: &found) }
    }

    /// The roots that the aggregate owns through references.
    var ownedTargets: [EntityReference] {
        guard schema.ownsTargets else { return [] }
        var targets: [EntityReference] = []
        for (column, value) in zip(schema.columns, values) {
            guard let reference = column.reference, reference.isOwning, case .id(let id) = value else { continue }
            targets.append(EntityReference(entity: reference.target, id: id))
        }
        for child in children.joined() { targets += child.ownedTargets }
        return targets
    }

    /// The references to all owned objects, at any depth.
    var ownedReferences: [EntityReference] {
        children.joined().flatMap { [$0.reference] + $0.ownedReferences }
    }
}
