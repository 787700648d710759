internal import LarderData
internal import LarderDomain

extension MirrorFollower {
    /// Brings the mirror to the primary's last commit by one commit, without the change sets in between. Commits wait
    /// meanwhile.
    ///
    /// - Throws: `incompatible` if the mirror is too far behind.
    func catchUp() async throws(PersistencyError) {
        try await gate.alone { () throws(PersistencyError) in
            guard let start = record.source else { throw .stale(mirror.name, primary.name) }
            let end = try await primary.store.commit(ChangeSet()).token
            do throws(PersistencyError) {
                var missed = try await CatchUp(from: primary.store, to: mirror.store).missed(after: start, until: end)
                try await commit(&missed.changes, as: .mirror, at: end)
                for id in missed.commits { pending.remove(id) }
            } catch .incompatible {
                throw .stale(mirror.name, primary.name)
            } catch .unavailable(let why) where why.reason == .tooLarge {
                throw .stale(mirror.name, primary.name)
            }
            reached(end)
        }
    }
}
