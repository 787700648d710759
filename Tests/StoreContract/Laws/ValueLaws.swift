internal import LarderData
internal import LarderDomain

enum ValueLaws {
    static let all: [Law] = [
        Law(.values, "A value of every type is read back unchanged") { trial in
            var specimen = try trial.specimen()
            (specimen.integer, specimen.real, specimen.text, specimen.flag) = (-42, 2.5, "half a dozen eggs", true)
            (specimen.instant, specimen.bytes) = (Timestamp(microseconds: 1_234_567_890_123_456), [1, 2, 3])
            (specimen.maybeInteger, specimen.maybeReal, specimen.maybeText) = (7, -0.125, "butter")
            (specimen.maybeFlag, specimen.maybeInstant) = (false, Timestamp(microseconds: -1))
            (specimen.maybeDay, specimen.maybeBytes) = (CalendarDay(year: 2026, month: 11, day: 20), [0])
            specimen.maybeID = RawID(high: 1, low: 2)
            try await trial.roundTrip(specimen)
        }.tests("value.1"),
        Law(.values, "A missing value remains missing, and is not empty") { trial in
            var empty = try trial.specimen()
            (empty.maybeText, empty.maybeBytes, empty.maybeInteger, empty.maybeReal) = ("", [], 0, 0)
            (empty.maybeFlag, empty.maybeInstant) = (false, Timestamp(microseconds: 0))
            try await trial.roundTrip(empty)
            try await trial.roundTrip(try trial.specimen())
        }.tests("value.1"),
        Law(.values, "Integers are read back up to the limits of 64 bits") { trial in
            for integer in [.min, -9_007_199_254_740_993, -1, 0, 1, 9_007_199_254_740_993, .max] as [Int64] {
                var specimen = try trial.specimen()
                (specimen.integer, specimen.maybeInteger) = (integer, integer)
                try await trial.roundTrip(specimen)
            }
        }.tests("value.1"),
        Law(.values, "Numbers are read back to the last bit") { trial in
            let numbers: [Double] = [
                0.1, 1 / 3.0, -1e-300, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude,
                .leastNormalMagnitude, 1, 9_007_199_254_740_991, 4.35,
            ]
            for number in numbers {
                var specimen = try trial.specimen()
                (specimen.real, specimen.maybeReal) = (number, number)
                try await trial.roundTrip(specimen)
            }
        }.tests("value.1"),
        Law(.values, "Negative zero becomes zero") { trial in
            var specimen = try trial.specimen()
            (specimen.real, specimen.maybeReal) = (-0.0, -0.0)
            try await trial.manager.create(specimen)
            let stored = try await trial.manager.require(specimen.id)
            try expect("the sign of the number", stored.real.sign, is: .plus)
            try expect("the sign of the number that may be missing", stored.maybeReal?.sign, is: .plus)
            var parcel = Parcel(id: trial.id())
            (parcel.weight, parcel.maybeWeight) = (-0.0, -0.0)
            try await trial.manager.create(parcel)
            let sent = try await trial.manager.require(parcel.id)
            try expect("the sign of a small number", sent.weight.sign, is: .plus)
            try expect("the sign of a small number that may be missing", sent.maybeWeight?.sign, is: .plus)
        }.tests("create.2"),
        Law(.values, "A number that is not finite is refused, naming the field") { trial in
            for number in [Double.nan, .infinity, -.infinity] {
                var specimen = try trial.specimen()
                specimen.maybeReal = number
                let field = try await invalidField(of: "storing \(number)") { try await trial.manager.create(specimen) }
                try expect("the field", field.field, is: "maybe_real")
                try await trial.expectAbsent(specimen.id)
            }
        }.tests("create.5", "error.8", "invalid.3"),
        Law(.values, "Instants are read back to the microsecond, also distant ones") { trial in
            for microseconds in [Int64.min, -62_135_596_800_000_001, -1, 1, 253_402_300_799_999_999, .max] {
                var specimen = try trial.specimen()
                specimen.instant = Timestamp(microseconds: microseconds)
                specimen.maybeInstant = specimen.instant
                try await trial.roundTrip(specimen)
            }
        }.tests("value.1"),
        Law(.values, "Days are read back from the first to the last one") { trial in
            for (year, month, day) in [(1, 1, 1), (1582, 10, 10), (1900, 2, 28), (2024, 2, 29), (9999, 12, 31)] {
                guard let date = CalendarDay(year: year, month: month, day: day) else { continue }
                var specimen = try trial.specimen()
                (specimen.day, specimen.maybeDay) = (date, date)
                try await trial.roundTrip(specimen)
            }
        }.tests("value.1"),
        Law(.values, "All 256 byte values, and a million bytes, are read back") { trial in
            for bytes in [[], [0], Array(0...255), Array(repeating: 0xA5, count: 1_000_000)] as [[UInt8]] {
                var specimen = try trial.specimen()
                (specimen.bytes, specimen.maybeBytes) = (bytes, bytes)
                try await trial.roundTrip(specimen)
            }
        }.tests("value.1"),
        Law(.values, "Ids are read back, with all bits set and with none") { trial in
            let bits: [(UInt64, UInt64)] = [(0, 0), (0, 1), (.max, .max), (1 << 63, 0), (0, 1 << 63)]
            for (high, low) in bits {
                let id = RawID(high: high, low: low)
                var specimen = Specimen(id: EntityID(id), day: try trial.day())
                specimen.maybeID = id
                try await trial.roundTrip(specimen)
            }
            let found = try await trial.manager.read(Query<Specimen>()).items.map(\.id.rawValue)
            try expect("the order of ids", found, is: bits.map { RawID(high: $0.0, low: $0.1) }.sorted())
        }.tests("request.19", "value.1"),
    ]
}

extension Trial {
    func day() throws -> CalendarDay {
        guard let day = CalendarDay(year: 2026, month: 11, day: 20) else { throw LawBroken("the calendar lacks a day") }
        return day
    }

    /// A specimen in which all values are zero, empty, or missing.
    func specimen() throws -> Specimen { Specimen(id: id(), day: try day()) }

    /// Stores a specimen and reads it, by id and by a query for all.
    func roundTrip(_ specimen: Specimen) async throws {
        try await manager.create(specimen)
        try await expectStored(specimen, version: 1)
        let all = try await manager.read(Query<Specimen>()).items
        try expect("the specimen among all", all.first { $0.id == specimen.id }?.entity, is: specimen)
    }
}
