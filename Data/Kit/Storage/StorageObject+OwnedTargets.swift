internal import LarderDomain

/// A root that another aggregate owns through a reference.
struct OwnedTarget: Hashable {
    let schema: String
    let id: RawID
}

extension StorageObject {
    /// The roots that the aggregate owns through references, in its own columns and in those of what it owns.
    var ownedTargets: [OwnedTarget] {
        guard schema.ownsTargets else { return [] }
        var targets: [OwnedTarget] = []
        for (index, column) in schema.columns.enumerated() {
            guard let reference = column.reference, reference.isOwning, case .id(let id) = values[index] else {
                continue
            }
            targets.append(OwnedTarget(schema: reference.target, id: id))
        }
        return targets + children.joined().flatMap(\.ownedTargets)
    }
}
