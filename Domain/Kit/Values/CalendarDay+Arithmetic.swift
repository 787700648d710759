/// A day of the week, with the number of ISO 8601.
public enum Weekday: Int, Hashable, Sendable, CaseIterable, Codable {
    /// 1.
    case monday = 1
    /// 2.
    case tuesday
    /// 3.
    case wednesday
    /// 4.
    case thursday
    /// 5.
    case friday
    /// 6.
    case saturday
    /// 7.
    case sunday
}

extension CalendarDay {
    /// The day of the week.
    public var weekday: Weekday { Weekday.allCases[number % 7] }

    /// The days from this day to another one; negative if it is earlier.
    public func days(to other: CalendarDay) -> Int { other.number - number }

    /// The day after some days, before it if negative; `nil` outside the calendar.
    public func adding(days: Int) -> CalendarDay? {
        let (sum, overflows) = number.addingReportingOverflow(days)
        return overflows ? nil : CalendarDay(number: sum)
    }

    /// The day after some weeks, before it if negative; `nil` outside the calendar.
    public func adding(weeks: Int) -> CalendarDay? {
        let (days, overflows) = weeks.multipliedReportingOverflow(by: 7)
        return overflows ? nil : adding(days: days)
    }

    /// The same day of the month after some months, before it if negative, or the last day of a shorter month; `nil`
    /// outside the calendar.
    ///
    /// A month after January 31 is February 28, and a month after that is March 28: for a series, add to its first day.
    public func adding(months: Int) -> CalendarDay? {
        let (sum, overflows) = (year * 12 + month - 1).addingReportingOverflow(months)
        guard !overflows, sum >= 12 else { return nil }
        let (year, month) = (sum / 12, sum % 12 + 1)
        guard year <= 9999 else { return nil }
        return CalendarDay(year: year, month: month, day: min(day, Self.days(in: month, of: year)))
    }

    /// The day after some years, as by twelve months each.
    public func adding(years: Int) -> CalendarDay? {
        let (months, overflows) = years.multipliedReportingOverflow(by: 12)
        return overflows ? nil : adding(months: months)
    }
}

extension CalendarDay {
    /// The days from 0001-01-01, a Monday, to this day.
    var number: Int {
        // In years that start with March, a leap day is the last one.
        let (year, month) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
        return year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + day - 307
    }

    /// `nil` outside the calendar.
    init?(number: Int) {
        guard (0..<3_652_059).contains(number) else { return nil }
        // A cycle of 400 years has 146,097 days, 100 years have 36,524 and 4 years 1,461.
        let (cycles, rest) = (number + 306).quotientAndRemainder(dividingBy: 146_097)
        let years = (rest - rest / 1_460 + rest / 36_524 - rest / 146_096) / 365
        let days = rest - years * 365 - years / 4 + years / 100
        let month = (days * 5 + 2) / 153
        self.init(
            year: cycles * 400 + years + (month < 10 ? 0 : 1), month: month < 10 ? month + 3 : month - 9,
            day: days - (month * 153 + 2) / 5 + 1)
    }
}
