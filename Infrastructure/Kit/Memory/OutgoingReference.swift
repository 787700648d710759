internal import LarderData
internal import LarderDomain

struct OutgoingReference: Sendable {
    /// The schema of the referring object: the root, or an object that it owns.
    let entity: String
    let column: String
    let target: EntityReference

    init(_ holder: EntitySchema, _ member: String, _ target: String, _ id: RawID) {
        (entity, column, self.target) = (holder.name, member, EntityReference(entity: target, id: id))
    }
}

extension StorageObject {
    /// Every reference and link of the aggregate.
    var outgoingReferences: [OutgoingReference] {
        var found: [OutgoingReference] = []
        collectReferences(into: &found)
        return found
    }

    private func collectReferences(into found: inout [OutgoingReference]) {
        for (column, value) in zip(schema.columns, values) {
            if let reference = column.reference, case .id(let id) = value {
                found.append(OutgoingReference(schema, column.name, reference.target, id))
            }
        }
        for (link, ids) in zip(schema.links, links) {
            for id in ids { found.append(OutgoingReference(schema, link.name, link.target, id)) }
        }
        for child in children.joined() { child.collectReferences(into: &found) }
    }
}

extension EntitySchema {
    /// Whether aggregates of the schema can contain references.
    var canRefer: Bool {
        !links.isEmpty || columns.contains { $0.reference != nil } || children.contains { $0.schema.canRefer }
    }
}
