internal import LarderDomain

extension Timestamp {
    /// The form of `Date` (RFC 9110, section 5.6.7): `Fri, 20 Nov 2026 18:30:00 GMT`.
    var httpDate: String {
        let seconds = microseconds / 1_000_000
        let weekday = Self.weekdays[Int(seconds / 86_400 + 4) % 7]
        // The description of whole seconds has no fraction.
        let text = Timestamp(microseconds: seconds * 1_000_000).description
        let parts = text.split { "-T:Z".contains($0) }
        guard parts.count == 6, let month = Int(parts[1]) else { return text }
        let time = parts[3...].joined(separator: ":")
        return "\(weekday), \(parts[2]) \(Self.months[month - 1]) \(parts[0]) \(time) GMT"
    }

    /// 1 January 1970 was a Thursday.
    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
