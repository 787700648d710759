import ArgumentParser
import LarderDomain
import Testing

@testable import CookbookApp

struct InstantTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", Int64(0)), ("1970-01-01t00:00:01.5z", 1_500_000),
        ("1970-01-01 01:00:00+01:00", 0), ("1969-12-31T23:59:59.999999Z", -1),
        ("2026-03-01T18:30:00.1234567Z", 1_772_389_800_123_456),
    ])
    func `an instant is RFC 3339 with microseconds, and has no duration`(text: String, micros: Int64) throws {
        #expect(try Instant(text).start == Timestamp(microseconds: micros))
        #expect(try Instant(text).end == Timestamp(microseconds: micros))
    }

    @Test func `a day ends where the next begins`() throws {
        let day = try Instant("1970-01-02")
        #expect(day.start == Timestamp(microseconds: 86_400_000_000))
        #expect(day.end == Timestamp(microseconds: 172_800_000_000))
    }

    @Test(arguments: [
        "", "now", "2026-02-30", "2026-02-30T00:00:00Z", "2026-03-01T24:30:00Z", "2026-03-01T18:30:00",
        "2026-03-01T18:30:00+25:00x", "20260301",
    ])
    func `other formats are refused`(text: String) {
        #expect(throws: ValidationError.self) { try Instant(text) }
    }
}
