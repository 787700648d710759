internal import LarderData
internal import LarderDomain

/// A copy of all roots of a database on local disk, made in steps while the database is in use. No read transaction
/// outlives a step, which reads one page.
///
/// The first steps read all roots, in the order of ids. Then rounds of steps read again the roots that the journal names
/// since, until few are left. The last step reads these together with the end of the journal, so that the copy has the
/// state after the last commit there. Of a removed reference, the journal does not name the holders: they are among the
/// roots that referred to its target when they were read.
struct SQLiteSpool: Sendable {
    private enum Phase: Equatable {
        case roots(of: Int, after: RawID?)
        case journal
        case changedRoots
        case complete
        case outdated
    }

    /// The number of changed roots that the last step may read.
    private static let few = 256
    /// The number of rounds after which the last step reads any number.
    private static let rounds = 8
    /// The number of commits that one step reads from the journal.
    private static let commits = 256

    private let plan: SQLPlan
    private let declared: SQLPlan
    private let codec: LogCodec
    private let file: SpooledRoots
    /// The parts that must not change meanwhile: SQLite's version of the schema, and the lifetime of the journal, if
    /// there is one.
    private let edition: (schema: Int64, lifetime: UInt64?)
    private var phase: Phase
    private var round = 0
    /// The number of the last commit that was read from the journal.
    private var position: Int64
    /// The number of roots that the steps have read.
    private(set) var count = 0

    /// Starts a copy. The plan is that of the store; the database may have more columns and entities.
    init(_ connection: SQLiteConnection, _ declared: SQLPlan) throws(PersistencyError) {
        let (record, head, edition) = try SQLiteReading(connection: connection).snapshot(isOne: false) {
            () throws(PersistencyError) in
            let head = try SQLiteJournal(connection: connection).headIfAny()
            let schema = try connection.integer("PRAGMA schema_version")
            return (try SQLiteSchemaRecord(connection: connection).read(), head, (schema, head?.lifetime))
        }
        plan =
            record.items == declared.schemas.items
            ? declared : try SQLPlan(SchemaShape(record.items).schemas(), beside: declared)
        codec = LogCodec(plan.schemas, history: record.history)
        (self.declared, self.edition, position) = (declared, edition, head?.position ?? 0)
        file = try SpooledRoots(codec)
        phase = .roots(of: 0, after: nil)
    }

    var hasJournal: Bool { edition.lifetime != nil }

    var isFinished: Bool { phase == .complete || phase == .outdated }

    /// Whether the copy has all roots. Otherwise, the schema has changed or the journal has dropped commits meanwhile.
    var isComplete: Bool { phase == .complete }

    /// The copy; to be used after the last step.
    var snapshot: StoreSnapshot {
        StoreSnapshot(codec: codec, sequence: position, lifetime: edition.lifetime ?? 0, visit: file.forEach)
    }

    /// The copy after one more step, in one read transaction. Throws `cancelled` once the task is cancelled.
    func next(_ connection: SQLiteConnection) throws(PersistencyError) -> SQLiteSpool {
        if Task.isCancelled { throw .cancelled }
        // Plans of several backups use the same numbers.
        if plan !== declared { connection.forgetStatements() }
        var next = self
        try SQLiteReading(connection: connection).snapshot(isOne: false) { () throws(PersistencyError) in
            try next.step(connection)
        }
        return next
    }

    private mutating func step(_ connection: SQLiteConnection) throws(PersistencyError) {
        let head = try SQLiteJournal(connection: connection).headIfAny()
        let newest = head?.position ?? 0
        guard try (connection.integer("PRAGMA schema_version"), head?.lifetime) == edition else {
            return phase = .outdated
        }
        switch phase {
        case .roots(let place, let last):
            guard place < plan.roots.count else { return phase = .journal }
            let root = plan.roots[place]
            let roots = try SQLiteReading(connection: connection).batch(after: last, of: root)
            try file.write(roots, of: place)
            count += roots.count
            let isLast = roots.count < root.batchSize
            phase = isLast ? .roots(of: place + 1, after: nil) : .roots(of: place, after: roots.last?.id)
        case .journal:
            if position < newest { try follow(SQLiteJournal(connection: connection)) }
            guard phase == .journal, position == newest else { return }
            round += 1
            if round < Self.rounds, try file.changedRoots() > Self.few { return phase = .changedRoots }
            while try readChangedRoots(connection) {}
            phase = .complete
        case .changedRoots: if try !readChangedRoots(connection) { phase = .journal }
        case .complete, .outdated: break
        }
    }

    /// Marks the roots that the next commits name.
    private mutating func follow(_ journal: SQLiteJournal) throws(PersistencyError) {
        let commits = try journal.page(after: position, limit: Self.commits).commits
        if commits.isEmpty { phase = .outdated }
        for commit in commits {
            guard commit.token.position == position + 1 else { return phase = .outdated }
            for entry in commit.entries {
                guard let place = plan.roots.firstIndex(where: { $0.schema.name == entry.reference.entity }) else {
                    return phase = .outdated
                }
                try file.markChanged(entry.reference.id, of: place)
            }
            for removal in commit.removals { try file.markReferrers(of: removal.target.id) }
            position += 1
        }
    }

    /// Reads a page of the marked roots again; `false` if there are none.
    private func readChangedRoots(_ connection: SQLiteConnection) throws(PersistencyError) -> Bool {
        guard let (place, ids) = try file.nextChangedRoots(limit: { plan.roots[$0].batchSize }) else { return false }
        let (root, reading) = (plan.roots[place], SQLiteReading(connection: connection))
        let roots = try reading.objects(reading.found(ids, root), root)
        try file.remove(ids, of: place)
        try file.write(roots, of: place)
        return true
    }
}
