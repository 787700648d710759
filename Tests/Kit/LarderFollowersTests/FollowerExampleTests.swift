import LarderData
import LarderDomain
import LarderFollowers
import Testing

/// The example of `docs/followers.md`.
@Test func `the example follows a store`() async throws {
    let notes = try await FollowedNotes(.memory)
    let (store, manager) = (notes.store, notes.manager)
    let echoes = Follower.storing("echoes", changesOf: [Note.entityName]) { changes, unit in
        for entry in changes.entries { try await unit.create(Echo(of: entry)) }
    }
    let followers = try Followers([echoes], store: store, manager: manager)
    let run = Task { try await followers.run() }
    try await eventually { try await notes.isRegistered("echoes") }
    try await notes.create([1])
    try await eventually { try await notes.echoes() == ["1@1"] }
    run.cancel()
    try await run.value
}
