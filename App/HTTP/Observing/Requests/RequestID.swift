public import HTTPTypes
internal import LarderDomain

extension HTTPField.Name {
    /// The header field of a request's id, in requests and responses. The name is valid, so the fallback is never used.
    public static let xRequestID = HTTPField.Name("X-Request-ID") ?? .via
}

/// The id of a request.
public enum RequestID {
    private static let generator = UUIDv7Generator()

    /// Generates an id.
    public static func make() -> String { generator.next().description }

    /// The id in a request, if it is accepted: 1 to 128 ASCII letters, digits, dots, underscores and hyphens. Other
    /// characters could forge or hide parts of a log.
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
