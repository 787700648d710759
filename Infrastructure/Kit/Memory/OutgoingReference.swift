internal import LarderData
internal import LarderDomain

/// A reference or link as an object holds it.
struct OutgoingReference: Sendable {
    /// The schema of the object that holds it: the root's, or that of something it owns.
    let entity: String
    /// The column or list of links.
    let column: String
    let target: EntityReference
}

extension StorageObject {
    /// Every reference and link of the aggregate.
    var outgoingReferences: [OutgoingReference] {
        var found: [OutgoingReference] = []
        collectReferences(into: &found)
        return found
    }

    private func collectReferences(into found: inout [OutgoingReference]) {
        func add(_ column: String, _ target: String, _ id: RawID) {
            let target = EntityReference(entity: target, id: id)
            found.append(OutgoingReference(entity: schema.name, column: column, target: target))
        }
        for (column, value) in zip(schema.columns, values) {
            if let reference = column.reference, case .id(let id) = value { add(column.name, reference.target, id) }
        }
        for (link, ids) in zip(schema.links, links) {
            for id in ids { add(link.name, link.target, id) }
        }
        for child in children.joined() { child.collectReferences(into: &found) }
    }
}

extension EntitySchema {
    /// Whether aggregates of the schema can refer to anything.
    var canRefer: Bool {
        !links.isEmpty || columns.contains { $0.reference != nil } || children.contains { $0.schema.canRefer }
    }
}
