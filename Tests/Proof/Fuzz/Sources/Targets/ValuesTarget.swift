internal import LarderDomain

/// Ids and days as text: on the command line, in files, and in databases that another program wrote.
enum ValuesTarget {
    static func decode(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        if let id = RawID(text) {
            let plain = text.filter { $0 != "-" }.lowercased()
            guard id.description.filter({ $0 != "-" }) == plain, RawID(id.description) == id else {
                fail("'\(text)' is read as the id \(id)")
            }
        }
        if let day = CalendarDay(text), day.description != text { fail("'\(text)' is read as the day \(day)") }
    }
}
