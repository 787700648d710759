internal import LarderData
internal import LarderDomain

/// The parts that the runs of a program share.
struct FollowerParts: Sendable {
    let store: any Store
    let manager: any PersistencyManager
    let clock: FollowerClock
    let report: @Sendable (FollowerNotice) -> Void
    let ids = UUIDv7Generator()

    /// The pause after an interruption; it doubles with each further one.
    static let firstPause = Duration.milliseconds(100)
    static let longestPause = Duration.seconds(10)

    /// Whether several processes may write: then a lease decides which one runs a follower.
    var hasLeases: Bool { !store.traits.capabilities.contains(.soleWriter) }

    func position() async throws(PersistencyError) -> ChangeToken { try await store.commit(ChangeSet()).token }
}
