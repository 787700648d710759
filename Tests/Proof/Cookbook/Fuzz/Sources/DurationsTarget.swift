@testable internal import CookbookApp

/// Durations in recipe files, as text.
enum DurationsTarget {
    static func decode(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let duration = ISODuration(text), duration.seconds >= 0, duration.seconds < 1 << 53 else { return }
        guard ISODuration("PT\(duration.seconds)S") == duration else { fail("'\(text)' is another duration again") }
    }
}
