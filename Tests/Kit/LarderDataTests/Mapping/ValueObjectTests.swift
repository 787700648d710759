#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import LarderDomain
import LarderInfrastructure
import Testing

@testable import LarderData

private struct Loan: Entity {
    let id: EntityID<Loan>
    var period: Period
    var renewal: Period?
    var count: Int?
}

private struct Period: Hashable, Codable {
    var days: Int
    var note: String?
    var clerk: EntityID<Loan>?
}

private enum LoanMapper: EntityMapper {
    static let mapping = Mapping<Loan>(
        "loan", id: \.id,
        [
            .value("period", \.period, PeriodMapper.self).renamed(from: "term", "").unique,
            .value("renewal", \.renewal, PeriodMapper.self).indexed, .column("count", \.count),
        ])

    static func entity(from row: inout ObjectReader) throws -> Loan {
        try Loan(
            id: row.id(), period: row.value(PeriodMapper.self), renewal: row.valueIfPresent(PeriodMapper.self),
            count: row.next())
    }
}

private enum PeriodMapper: ValueMapper {
    static let mapping = ValueMapping<Period>([
        .column("days", \.days, default: .integer(7)).settable.indexed, .column("note", \.note).renamed(from: "text"),
        .reference("clerk", \.clerk, onDelete: .remove),
    ])

    static func value(from row: inout ObjectReader) throws -> Period {
        try Period(days: row.next(), note: row.next(), clerk: row.next())
    }
}

private struct Visit: Hashable {
    var guest: EntityID<Loan>
}

private enum VisitMapper: ValueMapper {
    static let mapping = ValueMapping<Visit>([.reference("guest", \.guest, onDelete: .remove)])

    static func value(from row: inout ObjectReader) throws -> Visit { try Visit(guest: row.next()) }
}

private struct Booking: Entity {
    let id: EntityID<Booking>
    var visit: Visit?
}

private struct Note: Entity {
    let id: EntityID<Note>
    var text: String?
    var length: Int
}

private struct Stand: Hashable {
    var row: Int
    var spot: Spot?
    var hours: Hours?

    struct Spot: Hashable {
        let x: Int

        init(x: Int) throws(InvalidField) {
            if x < 0 { throw InvalidField(entity: "spot", field: "x", reason: "must not be negative") }
            self.x = x
        }
    }

    struct Hours: Hashable { var from: Int? }
}

private enum StandMapper: ValueMapper {
    static let mapping = ValueMapping<Stand>([
        .column("row", \.row), .value("spot", \.spot, SpotMapper.self).renamed(from: "place"),
        .value("hours", \.hours, HoursMapper.self),
    ])

    static func value(from row: inout ObjectReader) throws -> Stand {
        try Stand(
            row: row.next(), spot: row.valueIfPresent(SpotMapper.self), hours: row.valueIfPresent(HoursMapper.self))
    }
}

private enum SpotMapper: ValueMapper {
    static let mapping = ValueMapping<Stand.Spot>([.column("x", \.x).unique])

    static func value(from row: inout ObjectReader) throws -> Stand.Spot { try Stand.Spot(x: row.next()) }
}

private enum HoursMapper: ValueMapper {
    static let mapping = ValueMapping<Stand.Hours>([.column("from", \.from)])

    static func value(from row: inout ObjectReader) throws -> Stand.Hours { try Stand.Hours(from: row.next()) }
}

private struct Fair: Entity {
    let id: EntityID<Fair>
    var stand: Stand
}

private enum FairMapper: EntityMapper {
    static let mapping = Mapping<Fair>("fair", id: \.id, [.value("stand", \.stand, StandMapper.self)])

    static func entity(from row: inout ObjectReader) throws -> Fair {
        try Fair(id: row.id(), stand: row.value(StandMapper.self))
    }
}

@Suite("Value objects")
struct ValueObjectTests {
    private let schema = LoanMapper.schema

    @Test func `columns have the prefix of the value object, and those of an optional one are nullable`() {
        #expect(
            schema.columns.map(\.name) == [
                "period_days", "period_note", "period_clerk", "renewal_days", "renewal_note", "renewal_clerk", "count",
            ])
        #expect(schema.columns.map(\.isNullable) == [false, true, true, true, true, true, true])
        #expect(schema.columns.map { $0.defaultValue != nil } == [true, false, false, false, false, false, false])
        #expect(schema.references.map(\.names) == [["period_clerk"], ["renewal_clerk"]])
    }

    @Test func `a value object is unique and indexed by all its columns, besides those that it declares`() {
        #expect(schema.uniques == [[0, 1, 2]] && schema.indexes == [[0], [3], [3, 4, 5]])
    }

    @Test func `a column of a value object is unique where the value object is optional, too`() {
        let names = ["stand_row", "stand_spot_x", "stand_hours", "stand_hours_from"]
        #expect(FairMapper.schema.columns.map(\.name) == names)
        #expect(FairMapper.schema.uniques == [[1]])
    }

    @Test func `a part that a nested value object refuses has the name of its column`() throws {
        let fair = Fair(id: EntityID(RawID(high: 0, low: 1)), stand: Stand(row: 1, spot: try Stand.Spot(x: 2)))
        var object = try FairMapper.storageObject(from: fair)
        object.values[1] = .integer(-1)
        let stored = object
        let error = #expect(throws: PersistencyError.self) { try FairMapper.stored(from: stored) }
        guard case .invalid(let field)? = error else { return #expect(Bool(false), "\(error as Any)") }
        let expected = InvalidField(
            entity: "fair", id: stored.id, field: "stand_spot_x", reason: "must not be negative")
        #expect(field == expected)
    }

    @Test func `former prefixes are combined with the former names of columns`() {
        let names = schema.hints.formerMembers
        #expect(names["period_days"] == ["term_days", "days"])
        #expect(names["period_note"] == ["period_text", "term_note", "term_text", "note", "text"])
        #expect(names["renewal_days"] == nil && names["renewal_note"] == ["renewal_text"])
    }

    @Test func `former prefixes apply to the columns of nested value objects, and to those that tell their presence`() {
        let stand = MappedMember<Fair>.value("stand", \.stand, StandMapper.self).renamed(from: "booth", "")
        let names = Mapping<Fair>("fair", id: \.id, [stand]).schema.hints.formerMembers
        #expect(names["stand_row"] == ["booth_row", "row"])
        #expect(
            names["stand_spot_x"] == ["stand_place_x", "booth_spot_x", "booth_place_x", "spot_x", "place_x"])
        #expect(names["stand_hours"] == ["booth_hours", "hours"])
        #expect(names["stand_hours_from"] == ["booth_hours_from", "hours_from"])
    }

    private func refusal(_ schemas: EntitySchema...) throws -> String {
        "\(try #require(throws: PersistencyError.self) { try SchemaSet(schemas) })"
    }

    @Test func `a reference without which a value object cannot be read is never removed`() throws {
        let mapping = Mapping<Booking>("booking", id: \.id, [.value("visit", \.visit, VisitMapper.self)])
        #expect(try refusal(schema, mapping.schema).contains("booking.visit_guest cannot be set to null"))
    }

    @Test func `only texts are folded`() throws {
        let counts = Mapping<Loan>("loan", id: \.id, [.column("count", \.count).folded])
        let refusal = try refusal(counts.schema)
        #expect(refusal.contains("loan.count_folded: ") && refusal.contains("only columns of String and String?"))
    }

    @Test func `a folded column follows its own, with the former names and the sealing`() throws {
        let mapping = Mapping<Note>(
            "note", id: \.id,
            [
                .column("text", \.text, sealed: .equality).renamed(from: "body").folded.unique,
                .column("length", \.length),
            ])
        #expect(mapping.schema.columns.map(\.name) == ["text", "text_folded", "length"])
        #expect(mapping.schema.columns.map(\.isDerived) == [false, true, false])
        #expect(mapping.schema.columns.map(\.sealing) == [.equality, .equality, nil])
        #expect(mapping.schema.uniques == [[1]])
        #expect(mapping.schema.hints.formerMembers == ["text": ["body"], "text_folded": ["body_folded"]])
        #expect(throws: Never.self) { try SchemaSet([mapping.schema]) }
    }

    private func reason(_ predicate: Predicate<Loan>) -> String? {
        do {
            _ = try ReadRequest(Query(predicate), LoanMapper.mapping)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test func `a query compares parts of value objects, and not whole ones`() throws {
        let period = Period(days: 1)
        #expect(try #require(reason(#Predicate { $0.period == period })).contains("unsupported query"))
        #expect(try #require(reason(#Predicate { $0.renewal == period })).contains("unsupported query"))
        #expect(try #require(reason(#Predicate { $0.renewal == $0.renewal })).contains("unsupported query"))
        #expect(try #require(reason(#Predicate { ($0.renewal ?? period).days == 1 })).contains("unsupported query"))
        #expect(try #require(reason(#Predicate { $0.renewal.flatMap { $0.days + 1 } == 1 })).contains("??"))
        #expect(try #require(reason(#Predicate { $0.renewal.flatMap { $0.note ?? "" } == "" })).contains("??"))
    }

    @Test func `a part of an absent value object that is unwrapped by force is nil`() async throws {
        let mappers = try MapperSet([LoanMapper.self])
        let manager = StoreManager(MemoryStore(mappers.schemas), mappers: mappers)
        for days in [1, 2, 3] {
            let renewal = days == 1 ? nil : Period(days: days)
            let id = EntityID<Loan>(RawID(high: 0, low: UInt64(days)))
            try await manager.create(Loan(id: id, period: Period(days: days), renewal: renewal))
        }
        func days(_ predicate: Predicate<Loan>) async throws -> [Int] {
            try await manager.read(Query(predicate)).entities.map(\.period.days)
        }
        #expect(try await days(#Predicate { $0.renewal!.days == 2 }) == [2])
        #expect(try await days(#Predicate { $0.renewal!.days == $0.period.days }) == [2, 3])
        #expect(try await days(#Predicate { $0.renewal!.days != 2 }) == [1, 3])
    }

    @Test func `an update by query sets a part of a value object, and adds to it only within a range`() async throws {
        let mappers = try MapperSet([LoanMapper.self])
        let manager = StoreManager(MemoryStore(mappers.schemas), mappers: mappers)
        let loan = Loan(id: EntityID(RawID(high: 0, low: 1)), period: Period(days: 1), renewal: Period(days: 2))
        try await manager.create(loan)
        try await manager.update(matching: Query<Loan>()) { $0.set(\.period.days, to: 5) }
        let error = await persistencyError {
            try await manager.update(matching: Query<Loan>()) { $0.add(\.period.days, 1) }
        }
        guard case .unsupportedQuery(let reason) = error else { return #expect(Bool(false), "\(error as Any)") }
        #expect(reason.contains("period.days") && reason.hasSuffix("without a range of valid values"))
        let stored = try await manager.require(loan.id)
        #expect(stored.period == Period(days: 5) && stored.renewal == loan.renewal)
    }
}
