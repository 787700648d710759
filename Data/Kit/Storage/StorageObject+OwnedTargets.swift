internal import LarderDomain

extension StorageObject {
    /// The roots that the aggregate owns through references, in the columns of its root and of its owned objects.
    var ownedTargets: [EntityReference] {
        guard schema.ownsTargets else { return [] }
        var targets: [EntityReference] = []
        for (index, column) in schema.columns.enumerated() {
            guard let reference = column.reference, reference.isOwning, case .id(let id) = values[index] else {
                continue
            }
            targets.append(EntityReference(entity: reference.target, id: id))
        }
        return targets + children.joined().flatMap(\.ownedTargets)
    }
}
