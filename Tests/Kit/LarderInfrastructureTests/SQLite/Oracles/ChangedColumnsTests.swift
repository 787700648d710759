// SQLCipher's library has no session extension.
#if !SQLCipher
import LarderData
import LarderDomain
import LarderStoreContract
import Testing

@testable import LarderInfrastructure

/// The writes that a change set claims, compared with the writes that SQLite reports.
@Suite(.serialized) struct ChangedColumnsTests {
    let scratch = Scratch()

    /// The numbers of the items that a run compared, and the first difference.
    struct Comparison {
        var edits = 0
        var unchanged = 0
        var rows = 0
        var columns = 0
        var difference: String?
    }

    /// Stores random edits one by one, each observed by a witness, until the first difference.
    ///
    /// - Parameter commit: Stores an edit, given the changes, the object before, and the claim.
    func compare(
        _ count: Int, seed: UInt64 = RunSize.seed,
        claim: (ObjectChanges, StorageObject) -> ObjectChanges = { changes, _ in changes },
        write: (ObjectChanges, StorageObject) -> ObjectChanges = { changes, _ in changes }
    ) async throws -> Comparison {
        let store = try await scratch.open(.off)
        var edits = RandomEdits(seed: seed)
        _ = try await store.commit(ChangeSet(inserts: edits.surroundings + edits.objects))
        for (index, object) in edits.objects.enumerated() { edits.didStore(object, at: index) }
        var comparison = Comparison()
        while comparison.edits < count, comparison.difference == nil {
            let (index, new) = edits.next()
            let old = edits.objects[index]
            let changes = ObjectChanges(from: old, to: new)
            guard !changes.isEmpty else {
                comparison.unchanged += 1
                #expect(new == old)
                continue
            }
            let witness = try witness(store)
            let update = RootUpdate(
                EntityKey(old.schema, old.id), expected: old.version, changes: write(changes, old))
            _ = try await store.commit(ChangeSet(updates: [update]))
            let claimed = ClaimedRows(claim(changes, old), of: old)
            comparison.note(claimed, witness.updates, try witness.rows())
            edits.didStore(new, at: index)
        }
        if comparison.difference == nil {
            for object in edits.objects {
                #expect(try await store.read(object.id, of: object.schema) == object)
            }
        }
        await store.close()
        return comparison
    }

    private func witness(_ store: SQLiteStore) throws -> WriteWitness {
        var tables: [String: [String]] = [:]
        for table in store.plan.roots.flatMap(\.table.withDescendants) {
            tables[table.name] = table.columns
            for link in table.links { tables[link.name] = link.columns }
        }
        var witness: WriteWitness?
        var failure: (any Error)?
        try #require(store.writer).read { connection throws(PersistencyError) in
            do { witness = try unsafe WriteWitness(connection.handle, tables: tables) } catch { failure = error }
        }
        if let failure { throw failure }
        return try #require(witness)
    }

    @Test func `the columns of a change set are those that SQLite's session extension reports`() async throws {
        let start = ContinuousClock.now
        let count = RunSize.current.of(quick: 200, ci: 3_000, prove: 100_000)
        let comparison = try await compare(count)
        #expect(comparison.difference == nil)
        #expect(comparison.columns > count)
        print(
            RunReport(
                "changed columns, sqlite",
                figure: "\(comparison.edits) edits, \(comparison.rows) rows, \(comparison.columns) columns, "
                    + "\(comparison.unchanged) edits of nothing", duration: .now - start))
    }

    @Test func `a store that writes all columns is caught, whether it claims them or not`() async throws {
        let silent = try await compare(100) { changes, _ in
            changes
        } write: {
            $0.withAllColumns(of: $1)
        }
        #expect(silent.difference?.hasPrefix("named") == true)
        let open = try await Self().compare(100) { $0.withAllColumns(of: $1) }
        #expect(open.difference?.hasPrefix("reported") == true)
    }

    @Test func `a claim that leaves a column out is caught`() async throws {
        let comparison = try await compare(100) { changes, _ in
            var changes = changes
            changes.columns = Array(changes.columns.dropLast())
            return changes
        }
        #expect(comparison.difference != nil)
    }
}

extension ChangedColumnsTests.Comparison {
    /// Compares the changed rows, then the columns that statements set.
    mutating func note(_ claimed: ClaimedRows, _ named: [String], _ reported: Set<RowChange>) {
        edits += 1
        rows += reported.count
        columns += reported.reduce(0) { $0 + $1.columns }
        func lines(_ rows: Set<RowChange>) -> String { rows.map(\.description).sorted().joined(separator: "; ") }
        if claimed.rows != reported {
            difference =
                "reported: \(lines(reported.subtracting(claimed.rows))), "
                + "claimed: \(lines(claimed.rows.subtracting(reported)))"
        } else if claimed.updates != named {
            difference = "named: \(named), claimed: \(claimed.updates)"
        }
    }
}

extension ObjectChanges {
    /// The changes with every column of the object, whether changed or not.
    fileprivate func withAllColumns(of object: StorageObject) -> ObjectChanges {
        var all = self
        let changed = Dictionary(uniqueKeysWithValues: columns.map { ($0.column, $0.value) })
        all.columns = object.values.enumerated().map { ColumnChange(column: $0, value: changed[$0] ?? $1) }
        return all
    }
}
#endif
