public import HTTPTypes
internal import LarderDomain

extension HTTPField.Name {
    /// The header that a request's id comes in, and goes out in. The name is a valid one: nobody meets the other.
    public static let xRequestID = HTTPField.Name("X-Request-ID") ?? .via
}

/// The id of a request.
public enum RequestID {
    private static let generator = UUIDv7Generator()

    /// A new id.
    public static func make() -> String { generator.next().description }

    /// The id that a request came with, if it may be taken over: 1 to 128 letters, digits, dots, underscores and
    /// hyphens, all of ASCII. Anything else could be made to look like something else in a log.
    public static func accepted(_ text: String?) -> String? {
        guard let text, (1...128).contains(text.utf8.count), text.utf8.allSatisfy(isAllowed) else { return nil }
        return text
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
