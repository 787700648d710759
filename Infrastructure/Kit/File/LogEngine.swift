internal import LarderData
internal import LarderDomain

/// A state and its log: judges commits and writes them. Independent of threads.
struct LogEngine: Sendable {
    /// The state that the log contains, including the record that a call is writing.
    private(set) var state: StoreState
    private(set) var log: LogAppender
    /// The failure after which nothing may be written, if any.
    private(set) var failure: PersistencyError?
    private(set) var bytesWritten = 0
    let codec: LogCodec
    private(set) var journal: LogJournal?
    private let opening: LogOpening
    /// The encoded size of all roots in bytes: a compact log without its head.
    private var liveBytes: Int
    /// A higher floor after a failed compaction.
    private var raisedFloor = 0
    /// `nil` for a log that is only read, in a folder without a lock file.
    private let lock: (any FileLock)?

    struct Outcome {
        var results: [CommitResult] = []
        var committed: [CommittedChanges] = []
    }

    init(
        _ state: StoreState, _ codec: LogCodec, _ journal: LogJournal?, _ log: LogAppender, liveBytes: Int,
        _ lock: (any FileLock)?, _ opening: LogOpening, failure: PersistencyError? = nil
    ) {
        (self.state, self.codec, self.journal, self.log, self.lock) = (state, codec, journal, log, lock)
        (self.liveBytes, self.opening, self.failure) = (liveBytes, opening, failure)
    }

    /// Commits change sets as one record with one sync, or as several if they are large. Judges each change set
    /// against the state after the previous ones.
    ///
    /// Rejected change sets are left out. If a record cannot be written, all of its change sets and all later ones fail
    /// with the same error, and the state is rolled back.
    mutating func commit(_ group: [PendingCommit], token: (Int64) -> ChangeToken) -> Outcome {
        var (outcome, rest, failed) = (Outcome(), group[...], failure)
        while failed == nil, let part = takePart(of: &rest) { failed = commit(part, &outcome, token: token) }
        // No commit overtakes a failed one.
        if let failed { outcome.results += rest.map { _ in .failure(failed) } }
        return outcome
    }

    /// The first members that fit into one record, estimated from their values; at least one.
    private func takePart(of rest: inout ArraySlice<PendingCommit>) -> ArraySlice<PendingCommit>? {
        var bytes = 0
        let fitting = rest.prefix { member in
            bytes += member.changes.byteCount
            return bytes <= codec.recordBytes
        }
        let part = rest.prefix(max(1, fitting.count))
        rest = rest.dropFirst(part.count)
        return part.isEmpty ? nil : part
    }

    /// Commits change sets as one record. Returns the error with which all of them have failed, if it cannot be written.
    private mutating func commit(
        _ group: ArraySlice<PendingCommit>, _ outcome: inout Outcome, token: (Int64) -> ChangeToken
    ) -> PersistencyError? {
        var (done, applied, growth) = (Outcome(), [[RootWrite]](), 0)
        let codec = codec
        // Judged changes omit the effects of removals, so a rollback needs a copy, which shares the unchanged data.
        let original = group.contains { !$0.changes.removals.isEmpty } ? state : nil
        let time = opening.now()
        var record = ValueWriter.record
        record.append(fixed: UInt64(bitPattern: state.sequence + 1))
        record.append(fixed: UInt64(bitPattern: time.microseconds))
        for member in group {
            guard !member.isCancelled else {
                done.results.append(.failure(.cancelled))
                continue
            }
            do throws(PersistencyError) {
                // The log names the roots of a bulk update, so that it can be replayed without its condition.
                let (changes, bulkCount) = try state.namingBulk(member.changes)
                let writes = try judge(changes)
                guard !member.changes.isEmpty else {
                    done.results.append(.success(CommitReceipt(token: token(state.sequence))))
                    continue
                }
                codec.append(changes, to: &record)
                growth += codec.growth(by: writes)
                state.apply(writes, removals: member.changes.removals) { growth += codec.growth(by: [$0]) }
                let token = token(state.sequence)
                applied.append(writes)
                done.committed.append(CommittedChanges(token: token, of: member.changes, bulkCount: bulkCount))
                done.results.append(.success(CommitReceipt(token: token, bulkCount: bulkCount)))
            } catch {
                done.results.append(.failure(error))
            }
        }
        let before = log.length
        do throws(PersistencyError) {
            if !applied.isEmpty { try log.append(.commits, record) }
        } catch {
            if let original {
                state = original
            } else {
                for writes in applied.reversed() { state.takeBack(writes) }
            }
            let failed = note(error)
            // The record may be on the device.
            let isInDoubt = failure != nil
            outcome.results += isInDoubt ? done.results.inDoubt(group, failed) : group.map { _ in .failure(failed) }
            return failed
        }
        bytesWritten += log.length - before
        liveBytes += growth
        for commit in done.committed {
            journal?.retained.append(commit, at: time) { state.readCommit(lifetime: commit.token.lifetime) }
        }
        outcome.results += done.results
        outcome.committed += done.committed
        return nil
    }

    private func judge(_ changes: ChangeSet) throws(PersistencyError) -> [RootWrite] {
        try changes.check(against: state.schemas)
        for object in changes.inserts where state.schemas[object.schema.name] != object.schema {
            throw .unknownEntity(object.schema.name)
        }
        let writes = try state.judge(changes)
        for case let root? in writes.map(\.new) {
            // The whole root must fit into a record, even if only a part changes.
            try ChangeSet(inserts: [root]).checkSize()
        }
        return writes
    }

    /// Whether more than half of the log is obsolete.
    var isCompactionDue: Bool {
        let obsolete = log.length - liveBytes - (journal?.retained.byteCount ?? 0)
        return failure == nil && log.length > max(opening.compactionFloor, raisedFloor) && obsolete > log.length / 2
    }

    /// Rewrites the log without obsolete data.
    ///
    /// - Complexity: O(*n*) for *n* roots.
    mutating func compact() throws(PersistencyError) {
        if let failure { throw failure }
        do throws(PersistencyError) {
            // A file that has replaced the log must not be overwritten.
            try log.files.check()
            try log.removeMarker()
            (log, liveBytes) = try codec.write(state, journal, to: log.place, salt: opening.salt(), seal: log.end.seal)
            bytesWritten += log.length
            raisedFloor = 0
        } catch {
            // An early retry would fail too, for example on a full device.
            raisedFloor = log.length + log.length / 4
            throw note(error)
        }
    }

    /// Begins a new lifetime of tokens, and rewrites the log with it. A store without a journal has a new one at each opening.
    mutating func renew() throws(PersistencyError) {
        guard let old = journal else { return }
        journal = LogJournal(old.retained)
        do throws(PersistencyError) { try compact() } catch {
            journal = old
            throw error
        }
    }

    /// Writes the marker of a clean close, unless the log may be damaged.
    mutating func close() {
        if failure == nil { log.close(after: state.sequence) }
    }

    private mutating func note(_ error: PersistencyError) -> PersistencyError {
        if error.isPoison { failure = error }
        return error
    }
}
