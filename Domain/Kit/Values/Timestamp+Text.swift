extension Timestamp {
    /// The instant of a whole second since 1970 in RFC 3339, where the calendar is the Gregorian one and years have four
    /// digits; `nil` for any other.
    ///
    /// Foundation says the same, and takes twenty times as long; instants stand in answers and in every line of a log.
    static func text(ofSecond second: Int64) -> String? {
        // 15 October 1582 to the end of 9999.
        guard (-12_219_292_800...253_402_300_799).contains(second) else { return nil }
        // Counted from 1 March of the year 0, so that a leap day is the last of its year.
        let days = (second - second.modulo(86_400)) / 86_400 + 719_468
        let rest = second.modulo(86_400)
        let (cycle, dayOfCycle) = days.quotientAndRemainder(dividingBy: 146_097)
        let yearOfCycle = (dayOfCycle - dayOfCycle / 1460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
        let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
        // Months of 31, 30, 31, 30 and 31 days, again and again, have 153 days in five.
        let month = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * month + 2) / 5 + 1
        let year = 400 * cycle + yearOfCycle + (month >= 10 ? 1 : 0)

        var text: [UInt8] = []
        text.reserveCapacity(20)
        func append(_ number: Int64, _ width: Int, _ end: Unicode.Scalar) {
            var divisor: Int64 = width == 4 ? 1000 : 10
            while divisor > 0 {
                text.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / divisor % 10))
                divisor /= 10
            }
            text.append(UInt8(ascii: end))
        }
        append(year, 4, "-")
        append(month < 10 ? month + 3 : month - 9, 2, "-")
        append(day, 2, "T")
        append(rest / 3600, 2, ":")
        append(rest / 60 % 60, 2, ":")
        append(rest % 60, 2, "Z")
        return String(decoding: text, as: UTF8.self)
    }
}

extension Int64 {
    /// The remainder that is never negative.
    fileprivate func modulo(_ divisor: Int64) -> Int64 {
        let remainder = self % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }
}
