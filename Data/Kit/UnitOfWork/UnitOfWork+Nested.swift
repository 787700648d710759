internal import LarderDomain

extension UnitOfWork.State {
    /// Starts a transaction within this unit, or within another nested one.
    ///
    /// - Returns: The number that identifies it in each of its writes.
    mutating func beginNested(in outer: Int?) -> Int {
        lastNested += 1
        nested[lastNested] = NestedChanges(outer: outer)
        return lastNested
    }

    /// Merges the changes of a nested transaction into the enclosing one.
    mutating func endNested(_ number: Int) {
        guard let ended = nested.removeValue(forKey: number), let outer = ended.outer else { return }
        nested[outer]?.take(ended)
    }

    /// Discards the pending changes of a nested transaction. Its reads remain expectations of the unit's commit.
    ///
    /// If another task of the unit has since changed one of these roots, its change may be based on a discarded one.
    /// Then the unit cannot be committed, and the whole transaction is retried.
    mutating func discardNested(_ number: Int) {
        guard let ended = nested.removeValue(forKey: number) else { return }
        for (key, root) in ended.before {
            if let planned = ended.planned[key], tracked[key]?.current != planned { overwritten = key }
            tracked.restore(key, to: root)
        }
        guard let removals = ended.removals else { return }
        let others = tracked.removals.filter { !removals.before.contains($0) && !removals.planned.contains($0) }
        let kept = removals.before + others
        tracked.replace(kept + removals.planned, by: kept)
    }
}
