internal import LarderDomain

extension ModelUnit {
    /// The stored items after a successful commit.
    var after: [ItemKey: KeptItem] {
        now.reduce(into: [:]) { after, entry in
            let old = before[entry.key]
            let isSame = old?.item == entry.value
            after[entry.key] = KeptItem(entry.value, isSame ? old?.version ?? 1 : (old?.version ?? 0) + 1)
        }
    }

    /// Whether the commit would write anything.
    var hasChanges: Bool { now != before.mapValues(\.item) }

    /// The reasons why the unit cannot be stored, each a correct answer; empty if it can be stored.
    var obstacles: [Answer.Failure] {
        // Ids are checked before values and references.
        let ids = (clash.map { [.duplicate($0)] } ?? []) + ownedTwice
        return ids.isEmpty ? takenValues + missingTargets : ids
    }

    private var ownedTwice: [Answer.Failure] {
        var seen: Set<EntityReference> = []
        return now.values.flatMap(\.parts).filter { !seen.insert($0).inserted }
            .map { .duplicate(Duplicate(entity: $0.entity, columns: ["id"], existing: $0.id)) }
    }

    private var takenValues: [Answer.Failure] {
        let written = now.values.filter { before[$0.key]?.item != $0 }
        var failures: [Answer.Failure] = []
        for item in written {
            for values in item.uniques {
                for other in now.values
                where other.key != item.key && other.key.kind == item.key.kind && other.uniques.contains(values) {
                    failures += (isSwept ? [other.key, item.key] : [other.key]).map { existing in
                        .duplicate(
                            Duplicate(
                                entity: existing.reference.entity, columns: values.columns, existing: existing.rawID))
                    }
                }
            }
        }
        return failures
    }

    private var missingTargets: [Answer.Failure] {
        now.values.flatMap(\.outgoing).filter { now[$0.target] == nil }
            .map { .dangling(Dangling(entity: $0.holder, column: $0.column, id: $0.target.rawID)) }
    }
}
