internal import LarderData
internal import LarderDomain

extension MirrorFollower {
    /// Brings the mirror to the primary's last commit by one commit, without the change sets in between. Commits wait
    /// meanwhile.
    ///
    /// - Throws: `incompatible` if the mirror is too far behind.
    func catchUp() async throws(PersistencyError) {
        try await gate.alone { () throws(PersistencyError) in
            do throws(PersistencyError) {
                guard let start = record.source else { throw .stale(mirror.name, primary.name) }
                let end = try await primary.store.commit(ChangeSet()).token
                var missed = try await CatchUp(from: primary.store, to: mirror.store).missed(after: start, until: end)
                try await commit(&missed.changes, as: .mirror, at: end)
                for id in missed.commits { pending.remove(id) }
                reached(end)
            } catch {
                switch error {
                case .incompatible: throw .stale(mirror.name, primary.name)
                case .unavailable(let why) where why.reason == .tooLarge: throw .stale(mirror.name, primary.name)
                default: throw error
                }
            }
        }
    }
}
