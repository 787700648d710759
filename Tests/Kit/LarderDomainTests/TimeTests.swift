#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import LarderDomain
import Testing

@Suite("Instants and days")
struct TimeTests {
    @Test(arguments: [
        (0, "1970-01-01T00:00:00Z"), (1, "1970-01-01T00:00:00.000001Z"), (-1, "1969-12-31T23:59:59.999999Z"),
        (1_700_000_000_250_000, "2023-11-14T22:13:20.25Z"), (-11_670_998_400_000_000, "1600-02-29T00:00:00Z"),
    ])
    func `an instant is shown as RFC 3339 in UTC`(_ microseconds: Int64, _ text: String) {
        #expect(Timestamp(microseconds: microseconds).description == text)
    }

    @Test(arguments: [
        ("1970-01-01T00:00:00Z", Int64(0)), ("1970-01-01t00:00:01.5z", 1_500_000),
        ("1970-01-01 01:00:00+01:00", 0), ("1969-12-31T23:59:59.999999Z", -1),
        ("2026-03-01T18:30:00.123456789-00:30", 1_772_391_600_123_456),
    ])
    func `RFC 3339 is read to the microsecond`(_ text: String, _ microseconds: Int64) {
        #expect(Timestamp(rfc3339: text)?.microseconds == microseconds)
    }

    @Test(arguments: [
        "", "now", "2026-02-30T00:00:00Z", "2026-03-01T24:30:00Z", "2026-03-01T18:30:00", "2026-03-01T18:30:00+25:00",
        "2026-03-01T18:30:00.1234567890Z", "2026-03-01", "2026-03-01T1٨:30:00Z", "2026-03-01T18:30:00.१२Z",
        "2026-03-01T18:30:00+0１:00", "2026-0٣-01T18:30:00Z",
    ])
    func `another text is not an instant`(_ text: String) {
        #expect(Timestamp(rfc3339: text) == nil)
    }

    @Test func `the text for logs has six decimals`() {
        let texts = [0, 1, -1, 1_000_000].map { Timestamp(microseconds: $0).fixedWidthDescription }
        #expect(
            texts == [
                "1970-01-01T00:00:00.000000Z", "1970-01-01T00:00:00.000001Z", "1969-12-31T23:59:59.999999Z",
                "1970-01-01T00:00:01.000000Z",
            ])
    }

    @Test func `a date is rounded to the nearest microsecond, and beyond the limits becomes the limit`() {
        #expect(Timestamp(Date(timeIntervalSinceReferenceDate: 0.000_000_9)).microseconds == 978_307_200_000_001)
        #expect(Timestamp(Date(timeIntervalSinceReferenceDate: -0.000_000_4)).microseconds == 978_307_200_000_000)
        #expect(Timestamp(Date(timeIntervalSince1970: -0.5)).microseconds == -500_000)
        #expect(Timestamp(Date(timeIntervalSince1970: 1e30)).microseconds == .max)
        #expect(Timestamp(Date(timeIntervalSince1970: -1e30)).microseconds == .min)
        #expect(Timestamp(microseconds: 2_500_000).date == Date(timeIntervalSince1970: 2.5))
        #expect(Timestamp(microseconds: 1) < Timestamp(microseconds: 2))
        #expect(Timestamp.now() > Timestamp(microseconds: 1_700_000_000_000_000))
    }

    @Test(arguments: [-7_500_000_000_000_001, -1, 0, 1, 1_764_388_800_123_457, 9_400_000_000_000_003])
    func `an instant survives the conversion to a date`(_ microseconds: Int64) {
        #expect(Timestamp(Timestamp(microseconds: microseconds).date).microseconds == microseconds)
    }

    @Test func `an instant survives coding`() throws {
        let instant = Timestamp(microseconds: .max)
        #expect(try JSONDecoder().decode([Timestamp].self, from: JSONEncoder().encode([instant])) == [instant])
    }

    @Test(arguments: ["2024-02-29", "2000-02-29", "0001-01-01", "9999-12-31", "2023-04-30"])
    func `a day is read and written`(_ text: String) {
        #expect(CalendarDay(text)?.description == text)
    }

    @Test(arguments: [
        "2023-02-29", "1900-02-29", "2023-04-31", "2023-13-01", "2023-00-10", "2023-01-00", "0000-01-01", "2023-1-01",
        "2023-01-01T00", "", "２０23-01-01", "2023/01-01", "2023-01/01", "+023-01-01",
    ])
    func `no day`(_ text: String) {
        #expect(CalendarDay(text) == nil)
    }

    @Test func `days are ordered as their texts are`() throws {
        let days = try ["2023-01-31", "2023-02-01", "2024-01-01"].map { try #require(CalendarDay($0)) }
        #expect(days == days.shuffled().sorted() && days.map(\.description) == days.map(\.description).sorted())
    }
}
