internal import LarderData
internal import LarderDomain

extension MirrorFollower {
    /// Brings the mirror to a commit of the primary by one commit, without the change sets in between. Commits go on
    /// meanwhile, except while the last changed roots are read from the primary.
    ///
    /// - Throws: `incompatible` if the mirror is too far behind.
    func catchUp() async throws(PersistencyError) {
        guard let start = record.source else { throw .stale(mirror.name, primary.name) }
        do throws(PersistencyError) {
            let missed = try await CatchUp(from: primary.store, to: mirror.store).missed(after: start, gate)
            var changes = missed.changes(mirror.store.schemas)
            try await commit(&changes, as: .mirror, at: missed.token)
            for id in missed.commits { pending.remove(id) }
            reached(missed.token)
        } catch .incompatible {
            throw .stale(mirror.name, primary.name)
        } catch .unavailable(let why) where why.reason == .tooLarge {
            throw .stale(mirror.name, primary.name)
        }
    }
}
