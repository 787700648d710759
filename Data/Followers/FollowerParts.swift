internal import LarderData
internal import LarderDomain

/// What the followers of a run share.
struct FollowerParts: Sendable {
    let store: any Store
    let manager: any PersistencyManager
    let clock: FollowerClock
    let report: @Sendable (FollowerNotice) -> Void
    let ids = UUIDv7Generator()

    /// Whether several processes may write: then a lease decides which one runs a follower.
    var hasLeases: Bool { !store.traits.capabilities.contains(.soleWriter) }

    func position() async throws(PersistencyError) -> ChangeToken { try await store.commit(ChangeSet()).token }

    func lease(_ follower: Follower, from now: Timestamp) -> FollowerLease {
        FollowerLease(id: FollowerLease.id(of: follower.name), until: now.adding(follower.policy.lease))
    }
}
