import Foundation
import LarderData
import LarderDomain
import LarderInfrastructure
import Testing

@testable import LarderApp

/// Copies of the rows of a former database.
struct AdoptionRunTests {
    private let source: LegacyDatabase
    private let manager: StoreManager

    init() throws {
        source = try LegacyDatabase()
        let mappers = try MapperSet([WriterMapper.self, VolumeMapper.self])
        manager = StoreManager(MemoryStore(mappers.schemas), mappers: mappers)
    }

    /// The numbers of each table (rows, copied, unchanged, changed, refused, in store), and the messages.
    private func copy() async throws -> (numbers: [String], messages: String, isComplete: Bool) {
        let captured = CapturedOutput()
        var isComplete = true
        try await captured.during {
            do {
                try await AdoptionRun(from: "sqlite:\(source.path)", to: manager).copy(LegacyDatabase.tables)
            } catch is CommandFailure {
                isComplete = false
            }
        }
        let lines = String(decoding: captured.output, as: UTF8.self).split(separator: "\n").dropFirst()
        let numbers = lines.map { $0.split(separator: " ").prefix(7).joined(separator: " ") }
        return (numbers, String(decoding: captured.errors, as: UTF8.self), isComplete)
    }

    @Test func `all rows are copied once, with their references and exact numbers`() async throws {
        let first = try await copy()
        #expect(first.numbers == ["writers 2 2 0 0 0 2", "volumes 2 2 0 0 0 2"])
        #expect(first.isComplete)
        let writers = try await manager.read(Query<Writer>(sort: [Sort(\.number)])).entities
        #expect(writers.map(\.number) == [1, 4_611_686_018_427_387_904] && writers.map(\.name) == ["Ada", "Ömer"])
        #expect(writers[0].born == CalendarDay(year: 1815, month: 12, day: 10))
        let volumes = try await manager.read(Query<Volume>(sort: [Sort(\.code)])).entities
        #expect(volumes.map(\.writer) == writers.map(\.id) && volumes.map(\.previous) == [volumes[1].id, nil])
        let again = try await copy()
        #expect(again.numbers == ["writers 2 0 2 0 0 2", "volumes 2 0 2 0 0 2"])
        #expect(again.isComplete)
    }

    @Test func `changed rows are updated, and refused rows are named and stop no others`() async throws {
        _ = try await copy()
        try source.run(
            """
            UPDATE writers SET name = 'Ada Lovelace' WHERE id = 1;
            INSERT INTO writers VALUES (2, 'A name of more than 20 characters', NULL), (3, 'Eve', 'tomorrow');
            INSERT INTO volumes VALUES ('c', 9, NULL);
            """)
        let changed = try await copy()
        #expect(changed.numbers == ["writers 4 0 1 1 2 2", "volumes 3 0 2 0 1 2"])
        #expect(!changed.isComplete)
        for refusal in ["writers 2: name", "writers 3: born", "volumes c: writer"] {
            #expect(changed.messages.contains("refused \(refusal)"), "\(changed.messages)")
        }
        #expect(try await manager.read(Query<Writer>(#Predicate { $0.name == "Ada Lovelace" })).items.count == 1)
    }

    @Test func `a source that is no database is refused, and the store remains`() async throws {
        for text in ["legacy.db", "sqlite:", "postgres://ann:secret@host/db"] {
            #expect(throws: CommandFailure.self) { _ = try AdoptionRun(from: text, to: manager) }
        }
        let run = try AdoptionRun(from: "sqlite:\(source.path).missing", to: manager)
        await #expect(throws: CommandFailure.self) { try await run.copy(LegacyDatabase.tables) }
        #expect(try await manager.read(Query<Writer>()).items.isEmpty)
    }
}
