internal import LarderData
public import LarderDomain

extension MirroredStore {
    /// Makes a mirror a primary. It can be used as the primary of a mirrored store afterwards; the old one cannot.
    ///
    /// Mirrors at the same position can be used as mirrors of the new primary; it refuses others. The caller closes the
    /// stores. An interrupted promotion can be repeated.
    ///
    /// - Parameters:
    ///   - chosen: The mirror, opened with ``schemas(of:)``.
    ///   - primary: The old primary, if it can be opened. It is marked as replaced.
    ///   - others: The other mirrors that can be opened.
    ///   - losing: Whether commits that the mirror does not have may be lost.
    /// - Throws: `incompatible` for a store that is not a mirror, or is between two positions; for a mirror that lacks
    ///   commits of another store, with their number, unless `losing`.
    /// - Returns: The position in the journal of the old primary up to which the new one has all commits.
    public static func promote(
        _ chosen: Member, over primary: Member?, others: [Member] = [], losing: Bool = false
    ) async throws(PersistencyError) -> ChangeToken {
        var record = try await MirrorRecord.read(chosen.store)
        if record.role == .primary, let source = record.source { return source }
        guard record.role == .mirror, let source = record.source else {
            throw .incompatible(
                record.role == nil || record.role == .retired
                    ? "\(chosen.name) is not a mirror" : "\(chosen.name) is incomplete: choose another mirror")
        }
        for other in others {
            let position = try await MirrorRecord.read(other.store).source
            try checkLoss(chosen, at: source, other, at: position, losing)
        }
        if let primary {
            var old = try await MirrorRecord.read(primary.store)
            switch old.role {
            case .retired: break
            case nil, .primary:
                let end = try await primary.store.commit(ChangeSet()).token
                try checkLoss(chosen, at: source, primary, at: end, losing)
                old.role = .retired
                // First, so that there are never two primaries.
                _ = try await old.stored(in: primary.store)
            case .mirror, .changing, .copying:
                throw .incompatible("\(primary.name) is a mirror, and not the primary of \(chosen.name)")
            }
        }
        record.start = try await chosen.store.commit(ChangeSet()).token
        record.role = .primary
        _ = try await record.stored(in: chosen.store)
        return source
    }

    private static func checkLoss(
        _ chosen: Member, at source: ChangeToken, _ other: Member, at end: ChangeToken?, _ losing: Bool
    ) throws(PersistencyError) {
        guard let end, end.lifetime == source.lifetime, end.position > source.position, !losing else { return }
        let missing = end.position - source.position
        throw .incompatible(
            "\(other.name) has \(missing) commit\(missing == 1 ? "" : "s") that \(chosen.name) does not have")
    }
}
