public import LarderData
public import LarderDomain

/// A store that commits to a primary, and then to mirrors, in the order of the primary's journal.
///
/// Reads are answered by the primary. If it cannot answer, a mirror that has all commits answers instead. A mirror that
/// has failed catches up from its position in the journal, which is stored with its data. See `docs/mirrored.md`.
public final class MirroredStore: StoreDecorator {
    /// A primary or a mirror, opened with ``schemas(of:)``.
    public struct Member: Sendable {
        /// The name in messages, such as the location.
        public let name: String
        /// The store.
        public let store: any Store

        /// Names a store that was opened with ``MirroredStore/schemas(of:)``.
        public init(_ name: String, _ store: any Store) {
            (self.name, self.store) = (name, store)
        }
    }

    /// The primary.
    public let base: any Store
    public let schemas: SchemaSet
    public let traits: StoreTraits
    /// The number of mirrors that have an acknowledged commit.
    let required: Int
    let lifetime: UInt64
    let followers: [MirrorFollower]
    let gate: CommitGate
    let board: MirrorBoard
    private let tasks: [Task<Void, Never>]

    /// The schemas of the primary and of the mirrors: those of the service, and the record of a mirror.
    ///
    /// - Throws: `incompatible` for the schemas of a mirrored store, because a member cannot be mirrored itself.
    public static func schemas(of service: SchemaSet) throws(PersistencyError) -> SchemaSet {
        guard service[MirrorRecord.schema.name] == nil else {
            throw .incompatible("a member of a mirrored store cannot be mirrored itself: name all mirrors in one list")
        }
        return try service.adding([MirrorRecord.schema])
    }

    /// Brings the mirrors to the last commit of the primary, and starts to follow it. An empty mirror is filled.
    ///
    /// The new store owns its members, and closes them if it cannot be opened.
    ///
    /// - Parameters:
    ///   - service: The schemas of the service.
    ///   - primary: The store that answers reads.
    ///   - mirrors: The stores that follow it.
    ///   - required: The number of mirrors that have a commit before it is acknowledged. With 0, commits do not wait.
    ///   - report: Called when a mirror fails, and when it follows again. Must return quickly.
    /// - Throws: `incompatible` for a primary that is a mirror or was replaced by one, or that has no journal or other
    ///   writers; for a mirror with other data, or too far behind. `unavailable` if fewer mirrors than required follow.
    /// - Complexity: O(*n* log *n*) for *n* missed changes; O(*m*) for *m* roots if a mirror is empty.
    public static func open(
        _ service: SchemaSet, primary: Member, mirrors: [Member], required: Int = 0,
        report: @escaping @Sendable (MirrorStatus) -> Void = { _ in }
    ) async throws(PersistencyError) -> MirroredStore {
        let (gate, board) = (CommitGate(), MirrorBoard(mirrors: mirrors.count, required: required))
        let followers = mirrors.enumerated().map {
            MirrorFollower($1, at: $0, of: primary, gate, board, report: report)
        }
        do throws(PersistencyError) {
            guard required <= mirrors.count else {
                throw .incompatible("\(required) mirrors are required, and there are \(mirrors.count)")
            }
            try await primary.checkPrimary()
            let end = try await primary.store.commit(ChangeSet()).token
            board.note(end: end.position)
            for follower in followers { try await follower.start(upTo: end) }
            guard board.healthyCount >= required else {
                let troubles = followers.compactMap(\.status.trouble).map { "\($0)" }
                throw .tooFew(required, troubles)
            }
            return MirroredStore(service, primary.store, followers, (gate, board), required, end.lifetime)
        } catch {
            for member in [primary] + mirrors { await member.store.close() }
            throw error
        }
    }

    private init(
        _ service: SchemaSet, _ primary: any Store, _ followers: [MirrorFollower],
        _ shared: (gate: CommitGate, board: MirrorBoard), _ required: Int, _ lifetime: UInt64
    ) {
        (base, schemas, self.required, self.lifetime) = (primary, service, required, lifetime)
        (self.followers, gate, board) = (followers, shared.gate, shared.board)
        // A mirror that answers instead may be of another kind, and each applies the same bulk updates.
        let appliesBulk = followers.allSatisfy { $0.mirror.store.traits.capabilities.contains(.bulkUpdates) }
        traits = StoreTraits(
            kind: "mirrored",
            capabilities: primary.traits.capabilities.subtracting([.semiJoins] + (appliesBulk ? [] : [.bulkUpdates])),
            changeBuffer: primary.traits.changeBuffer)
        tasks = followers.map { follower in Task { await follower.follow() } }
    }

    deinit {
        for task in tasks { task.cancel() }
    }

    /// The mirrors, in the order in which they were named.
    public var mirrors: [MirrorStatus] { followers.map(\.status) }

    /// Stores the change set in the primary, and waits until the required mirrors have it.
    ///
    /// - Throws: The errors of the primary; `unavailable` before the commit if fewer mirrors than required follow;
    ///   `inDoubt` if they failed after the primary has stored the change set: ``outcome(of:)`` is `unknown` until they
    ///   have it.
    public func commit(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        if changes.isEmpty { return try await base.commit(changes) }
        if board.healthyCount < required {
            // A closed store is reported first.
            _ = try await base.commit(ChangeSet())
            throw .tooFew(required, followers.compactMap(\.status.trouble))
        }
        for id in board.doubts { _ = try? await outcome(of: id) }
        await gate.enter()
        let pending = followers.map(\.pending).filter { $0.insert(changes) }
        let receipt: CommitReceipt
        if required > 0 { board.begin(changes.id) }
        do {
            receipt = try await base.commit(changes)
            gate.leave()
        } catch {
            gate.leave()
            board.abandon(changes.id)
            if case .inDoubt = error {
                board.note(doubt: changes.id)
                throw error
            }
            for pending in pending { pending.remove(changes.id) }
            throw error
        }
        board.note(end: receipt.token.position)
        if required == 0 { return receipt }
        guard await board.acknowledge(changes.id, at: receipt.token.position) else {
            throw .inDoubt(
                changes.id,
                Unavailable(.unreachable, "the commit is in the primary, but not in \(required) mirrors, which failed"))
        }
        return receipt
    }

    public func outcome(of id: CommitID) async throws(PersistencyError) -> CommitOutcome {
        let outcome = try await base.outcome(of: id)
        // A stored commit is removed when the mirror has it.
        if outcome != .unknown, board.end(doubt: id), outcome == .absent {
            for follower in followers { follower.pending.remove(id) }
        }
        return outcome == .stored && board.isUnacknowledged(id) ? .unknown : outcome
    }

    /// Waits until the mirrors that follow have the last commit, and closes all members.
    public func close() async {
        if let end = try? await base.commit(ChangeSet()).token { await board.drain(to: end.position) }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        await base.close()
        for follower in followers { await follower.mirror.store.close() }
    }
}

/// The state of a mirror.
public struct MirrorStatus: Sendable {
    /// The name of the mirror.
    public let name: String
    /// The position in the primary's journal up to which it has all commits.
    public let position: Int64
    /// The number of the primary's commits that it does not have yet.
    public let missing: Int64
    /// The reason why it does not follow at present.
    public let trouble: PersistencyError?
}

extension MirroredStore.Member {
    /// Refuses stores that must not receive commits, or whose commits cannot be followed.
    fileprivate func checkPrimary() async throws(PersistencyError) {
        for (capability, reason) in [
            (Capability.journal, "it has no journal"), (.soleWriter, "other processes may write it"),
        ] where !store.traits.capabilities.contains(capability) {
            throw .incompatible("\(name) cannot be the primary of a mirrored store: \(reason)")
        }
        try await MirroredStore.checkRole(ofPrimary: self)
    }
}

extension MirroredStore {
    /// Refuses a store that is a mirror, or was replaced by a promoted one. A primary that is opened alone, for reading,
    /// is checked so.
    ///
    /// - Parameter member: Opened with ``schemas(of:)``.
    /// - Throws: `incompatible` with the reason; errors of the store.
    public static func checkRole(ofPrimary member: Member) async throws(PersistencyError) {
        let name = member.name
        switch try await MirrorRecord.read(member.store).role {
        case nil, .primary: return
        case .retired: throw .incompatible("\(name) was replaced by a promoted mirror: use that one as the primary")
        case .mirror, .changing, .copying:
            throw .incompatible("\(name) is a mirror: promote it before it is used as a primary")
        }
    }
}

extension PersistencyError {
    fileprivate static func tooFew(_ required: Int, _ troubles: [any Sendable]) -> PersistencyError {
        let reasons = troubles.map { "\($0)" }.joined(separator: "; ")
        return .unavailable(Unavailable(.unreachable, "fewer than \(required) mirrors follow the primary: \(reasons)"))
    }
}
