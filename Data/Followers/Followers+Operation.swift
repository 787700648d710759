internal import LarderData
public import LarderDomain

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The state of a follower, for operators.
public struct FollowerStatus: Sendable, Equatable {
    /// The follower's name.
    public let name: String
    /// The names of the entities that it follows.
    public let entities: [String]
    /// Whether this program has the handler.
    public let hasHandler: Bool
    /// The last handled commit; `nil` before the first one.
    public let position: ChangeToken?
    /// The number of commits that it has yet to handle, and from 10,000 on, of all commits after its position; `nil` if the
    /// journal does not retain all of them.
    public let lag: Int?
    /// The time of the first of them.
    public let oldest: Timestamp?
    /// The number of failed attempts at the next commit.
    public let attempts: Int
    /// The error of the last failed attempt, or the reason of the stop.
    public let failure: String?
    /// Whether the follower waits for an operator.
    public let isStopped: Bool
    /// The number of commits that were set aside.
    public let setAside: Int
}

extension Followers {
    /// The stored followers and those of this program, by name.
    ///
    /// - Complexity: O(*n*) for *n* followers, with up to 10,000 commits of each.
    public func statuses() async throws(PersistencyError) -> [FollowerStatus] {
        let end = try await parts.position()
        let stored = try await parts.manager.read(Query<FollowerState>()).items.map(\.entity)
        let aside = try await parts.manager.counts(Query<SetAsideChanges>(), by: .value(\.follower))
        let new = followers.map(FollowerState.init).filter { new in !stored.contains { $0.id == new.id } }
        var statuses: [FollowerStatus] = []
        for state in (stored + new).sorted(by: { $0.name < $1.name }) {
            let lag = try await lag(of: state, before: end)
            statuses.append(
                FollowerStatus(
                    name: state.name, entities: state.entities,
                    hasHandler: followers.contains { $0.name == state.name },
                    position: state.position, lag: lag?.count, oldest: lag?.oldest, attempts: state.attempts,
                    failure: state.failure, isStopped: state.isStopped, setAside: aside[state.id] ?? 0))
        }
        return statuses
    }

    /// The commits that a follower has yet to handle.
    private func lag(
        of state: FollowerState, before end: ChangeToken
    ) async throws(PersistencyError) -> (count: Int, oldest: Timestamp?)? {
        guard let position = state.position else { return nil }
        var lag = (count: 0, oldest: Timestamp?.none)
        if position == end { return lag }
        var read = 0
        for await event in try await parts.manager.changes(after: position) {
            guard case .commit(let commit) = event else { return nil }
            read += 1
            if read > 10_000 { return (Int(end.position - position.position), lag.oldest) }
            if state.part(of: commit) != nil {
                lag.count += 1
                lag.oldest = lag.oldest ?? commit.id.rawValue.creationTime
            }
            if commit.token.position >= end.position { break }
        }
        return lag
    }

    /// The states of recurring work that was started once, by name.
    public func recurringStates() async throws(PersistencyError) -> [RecurringState] {
        try await parts.manager.read(Query<RecurringState>(sort: [Sort(\.name)])).items.map(\.entity)
    }

    /// The commits of a follower that were set aside, in commit order.
    public func setAside(_ name: String) async throws -> [SetAsideChanges] {
        let id = try await require(name).id
        let items = try await parts.manager.read(Query<SetAsideChanges>(#Predicate { $0.follower == id })).items
        return items.map(\.entity).sorted { $0.token.position < $1.token.position }
    }

    /// Handles the commits that were set aside again, and starts a stopped follower.
    ///
    /// - Returns: The number of commits that were handled.
    /// - Throws: The error of a handler, whose commit remains set aside with all later ones.
    @discardableResult
    public func retry(_ name: String) async throws -> Int {
        guard let follower = followers.first(where: { $0.name == name }) else {
            _ = try await require(name)
            throw FollowerError.noHandler(name)
        }
        let changes = try await setAside(name)
        for aside in changes {
            let commit = try aside.committed()
            switch follower.effect {
            case .storing(let handler):
                try await parts.manager.transaction { unit in
                    // A commit that another call has handled meanwhile is not set aside any more.
                    guard try await unit.read(aside.id) != nil else { return }
                    try await handler(commit, unit)
                    try await unit.delete(aside.id)
                }
            case .calling(let handler):
                try await handler(commit, parts.manager)
                try await parts.manager.delete(aside.id)
            }
        }
        try await change(name) { $0.clearFailure() }
        return changes.count
    }

    /// Passes over the next commit of a follower that has failed at it.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    public func skip(_ name: String) async throws -> Bool {
        let state = try await require(name)
        guard state.attempts > 0 || state.isStopped else { return false }
        for await event in try await parts.manager.changes(after: state.position) {
            if case .commit(let commit) = event, state.part(of: commit) == nil { continue }
            try await change(name) { changed in
                guard changed.position == state.position else { return }
                changed.position = event.token
                changed.clearFailure()
            }
            return true
        }
        return false
    }

    /// Deletes the state of a follower and its set-aside commits: it starts again as a new one.
    public func reset(_ name: String) async throws {
        let id = try await require(name).id
        if try await parts.manager.read(id) != nil { try await parts.manager.delete(id) }
    }

    private func require(_ name: String) async throws -> FollowerState {
        if let state = try await parts.manager.read(FollowerState.id(of: name))?.entity { return state }
        if let follower = followers.first(where: { $0.name == name }) { return FollowerState(follower) }
        let stored = try await parts.manager.read(Query<FollowerState>()).items.map(\.entity.name)
        throw FollowerError.unknown(name, known: Set(stored + followers.map(\.name)).sorted())
    }

    private func change(_ name: String, _ body: (inout FollowerState) -> Void) async throws {
        guard try await parts.manager.read(FollowerState.id(of: name)) != nil else { return }
        try await parts.manager.change(FollowerState.id(of: name)) { body(&$0) }
    }
}
