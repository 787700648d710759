#if Postgres
internal import CLarderPostgres
public import LarderDomain

/// A valid connection string of libpq: a URL, or settings such as `host=… dbname=…`.
///
/// Descriptions, also those of the debugger and of `dump`, contain no password. Needs no server.
public struct PostgresAddress: Sendable, Hashable {
    /// The complete text, which may contain a password.
    public let connection: String
    /// A URL of the hosts, the database, and the user, for logs and for people. It is a valid address, which lacks the
    /// password and the settings that do not tell where and as whom to connect.
    public let description: String
    /// Whether the text contains a password, which other users can see if it is an argument of a command.
    public let hasPassword: Bool
    /// The settings that the text contains, by their names.
    let settings: [String: String]

    /// Parses a connection string.
    ///
    /// - Throws: `unavailable` if libpq cannot use the text. The message names the fault, and does not quote values.
    public init(_ text: String) throws(PersistencyError) {
        if text.utf8.contains(0) { throw .invalidAddress("it contains the character U+0000") }
        settings = try Self.settings(text)
        try PostgresAddressFault.check(settings, isURL: Self.isURL(text))
        connection = text
        description = Self.url(settings)
        hasPassword = settings["password"] != nil || settings["sslpassword"] != nil
    }

    static func isURL(_ text: String) -> Bool { text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") }

    private static func settings(_ text: String) throws(PersistencyError) -> [String: String] {
        var message: UnsafeMutablePointer<CChar>?
        guard let options = unsafe PQconninfoParse(text, &message) else {
            defer { unsafe PQfreemem(message) }
            let error = unsafe message.map { unsafe String(cString: $0) } ?? "out of memory"
            throw .invalidAddress(PostgresAddressFault.text(error, in: text))
        }
        defer { unsafe PQconninfoFree(options) }
        return unsafe settings(options)
    }

    /// The values of options that have one.
    static func settings(_ options: UnsafePointer<PQconninfoOption>?) -> [String: String] {
        var settings: [String: String] = [:]
        var option = unsafe options
        while let name = unsafe option?.pointee.keyword {
            if let value = unsafe option?.pointee.val {
                unsafe settings[String(cString: name)] = String(cString: value)
            }
            unsafe option = option?.successor()
        }
        return settings
    }

    private static func url(_ settings: [String: String]) -> String {
        // Secrets are among the other settings, and new versions of libpq add some.
        var shown = settings.filter {
            ["hostaddr", "port", "service", "sslmode", "target_session_attrs"].contains($0.key)
        }
        let hosts = settings["host"].map(list) ?? [""]
        var places = hosts.map { $0.contains(":") && !$0.hasPrefix("/") ? "[\($0)]" : encoded($0) }
        if let ports = settings["port"].map(list), ports.count == hosts.count {
            places = zip(places, ports).map { $1.isEmpty ? $0 : "\($0):\($1)" }
            shown["port"] = nil
        }
        let user = settings["user"].map { encoded($0) + "@" } ?? ""
        let parameters = shown.sorted { $0.key < $1.key }.map { "\($0.key)=\(encoded($0.value))" }
        return "postgres://\(user)\(places.joined(separator: ","))/\(encoded(settings["dbname"] ?? ""))"
            + (parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&"))
    }

    static func list(_ text: String) -> [String] {
        text.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed)
    }

    private static func encoded(_ text: String) -> String {
        text.utf8.reduce(into: "") { result, byte in
            let character = Character(UnicodeScalar(byte))
            if byte < 128, character.isLetter || character.isNumber || "-._~".contains(character) {
                result.append(character)
            } else {
                result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
    }
}

extension StringProtocol {
    var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}

extension PostgresAddress: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
#endif
