import Foundation
import LarderDomain
import Testing

@Suite("Arithmetic of days")
struct CalendarDayTests {
    private func day(_ text: String) throws -> CalendarDay { try #require(CalendarDay(text)) }

    @Test func `every day is one after the day before, in the calendar of its year`() throws {
        var (day, weekday) = (try day("0001-01-01"), 0)
        let first = day
        for number in 0..<3_652_059 {
            guard first.days(to: day) == number, day.weekday == Weekday.allCases[weekday],
                first.adding(days: number) == day
            else {
                Issue.record("\(day) is not day \(number)")
                return
            }
            guard let next = day.adding(days: 1) else { break }
            let isNext =
                next.year == day.year && next.month == day.month
                ? next.day == day.day + 1
                : next.day == 1 && CalendarDay(year: day.year, month: day.month, day: day.day + 1) == nil
                    && (next.month == day.month % 12 + 1) && next.year == day.year + (day.month == 12 ? 1 : 0)
            #expect(isNext, "\(next) follows \(day)")
            (day, weekday) = (next, (weekday + 1) % 7)
        }
        #expect(day.description == "9999-12-31" && day.adding(days: 1) == nil && first.adding(days: -1) == nil)
        #expect(first.adding(days: .max) == nil && day.adding(days: .min) == nil)
    }

    @Test func `known days have their weekdays`() throws {
        #expect(try day("2026-11-29").weekday == .sunday && day("1970-01-01").weekday == .thursday)
        #expect(Weekday.monday.rawValue == 1 && Weekday.sunday.rawValue == 7)
    }

    @Test(arguments: [
        ("2026-01-31", 1, "2026-02-28"), ("2024-01-31", 1, "2024-02-29"), ("2026-12-15", 1, "2027-01-15"),
        ("2026-03-31", -1, "2026-02-28"), ("2024-03-31", -1, "2024-02-29"), ("2024-02-29", -48, "2020-02-29"),
        ("2026-01-01", -13, "2024-12-01"), ("0001-01-31", 0, "0001-01-31"),
        ("9999-11-30", 1, "9999-12-30"),
    ])
    func `months are added to the same day, or the last one of a shorter month`(
        _ from: String, _ months: Int, _ to: String
    ) throws {
        #expect(try day(from).adding(months: months)?.description == to)
    }

    @Test func `weeks and years are added, and nothing outside the calendar`() throws {
        #expect(try day("2026-02-26").adding(weeks: 1)?.description == "2026-03-05")
        #expect(try day("2024-02-29").adding(years: 1)?.description == "2025-02-28")
        #expect(try day("2024-02-29").adding(years: 4)?.description == "2028-02-29")
        #expect(try day("2096-02-29").adding(years: 4)?.description == "2100-02-28")
        for step in [1, Int.max] {
            #expect(try day("9999-12-31").adding(months: step) == nil && day("9999-12-31").adding(weeks: step) == nil)
            #expect(try day("0001-01-01").adding(months: -step) == nil && day("9999-12-31").adding(years: step) == nil)
        }
        #expect(try day("0001-01-01").adding(years: .min) == nil && day("0001-01-01").adding(weeks: .min) == nil)
    }

    @Test(arguments: [
        ("2026-11-29T22:59:59.999999Z", 3_600, "2026-11-29"), ("2026-11-29T23:00:00Z", 3_600, "2026-11-30"),
        ("1969-12-31T23:59:59.999999Z", 0, "1969-12-31"), ("1970-01-01T04:59:59Z", -18_000, "1969-12-31"),
    ])
    func `an instant is on a day of a zone`(_ text: String, _ offset: Int, _ expected: String) throws {
        let zone = try #require(TimeZone(secondsFromGMT: offset))
        let instant = try #require(Timestamp(rfc3339: text))
        #expect(CalendarDay(instant, in: zone)?.description == expected)
    }

    @Test(arguments: [
        ("Europe/Paris", "2026-03-29", "2026-03-28T23:00:00Z"), ("Europe/Paris", "2026-10-25", "2026-10-24T22:00:00Z"),
        ("Europe/Paris", "2026-10-26", "2026-10-25T23:00:00Z"),
        // One minute after midnight, the clock goes back by an hour, and midnight comes again.
        ("America/St_Johns", "2010-11-07", "2010-11-07T02:30:00Z"),
        ("Pacific/Guam", "1969-01-26", "1969-01-25T13:00:00Z"),
        // Midnight does not exist, and the day starts at one.
        ("America/Santiago", "2024-09-08", "2024-09-08T04:00:00Z"),
        // At midnight, the clock goes back by an hour.
        ("Asia/Beirut", "2021-10-31", "2021-10-30T22:00:00Z"),
        // At one, the clock goes back to midnight, which therefore exists twice.
        ("Atlantic/Azores", "2023-10-29", "2023-10-29T00:00:00Z"),
        ("America/Havana", "2023-11-05", "2023-11-05T04:00:00Z"),
        ("Pacific/Kiritimati", "2026-01-01", "2025-12-31T10:00:00Z"),
        // The day does not exist.
        ("Pacific/Apia", "2011-12-30", "2011-12-30T10:00:00Z"),
    ])
    func `a day starts at its first instant in a zone`(_ name: String, _ text: String, _ expected: String) throws {
        let (zone, day) = (try #require(TimeZone(identifier: name)), try day(text))
        let start = day.start(in: zone)
        #expect(start.description == expected)
        let before = try #require(CalendarDay(Timestamp(microseconds: start.microseconds - 1), in: zone))
        let after = try #require(CalendarDay(start, in: zone))
        #expect(before < day && after >= day)
    }

    @Test func `an instant beyond the calendar has no day`() {
        #expect(CalendarDay(Timestamp(microseconds: .max), in: .gmt) == nil)
        #expect(CalendarDay(Timestamp(microseconds: .min), in: .gmt) == nil)
    }
}
