#if Postgres
internal import LarderDomain

/// Descriptions of faults in connection strings, without the text that libpq quotes: it may be a part of a password.
enum PostgresAddressFault {
    /// Faults by the start of libpq's message.
    private static let faults: KeyValuePairs = [
        "missing \"=\"":
            "a setting without '=': use a URL, or settings such as host=localhost, with quotes around values that contain "
            + "spaces: password='a b'",
        "unterminated quoted string": "a value starts with a quote that does not end: add a quote at its end",
        "invalid percent-encoded token": "'%' without two hexadecimal digits: write '%' as %25 in a URL",
        "forbidden value %00": "it contains the character U+0000",
        "missing key/value separator": "a parameter without '=': write '?' in a user or password as %3F and '&' as %26",
        "extra key/value separator": "a parameter with two '=': write '=' in a value as %3D",
        "unexpected spaces": "spaces in a URL: write them as %20",
        "out of memory": "not enough memory",
        "end of string reached": "a host starts with '[', but has no ']'",
        "IPv6 host address may not be empty": "the IPv6 address in brackets is empty",
        "unexpected character": "the character after ']' must be ':' or '/'",
    ]

    /// A description of a fault that libpq has found.
    static func text(_ message: String, in text: String) -> String {
        if let fault = faults.first(where: { message.hasPrefix($0.key) })?.value { return fault }
        guard message.hasPrefix("invalid connection option") || message.hasPrefix("invalid URI query parameter") else {
            return "see the documentation of PostgreSQL's connection strings"
        }
        let advice = "check its spelling, and put quotes around values that contain spaces"
        // A password with unquoted spaces looks like further settings.
        let hasSecret = text.contains("pass") || text.contains("@")
        let parts = message.split(separator: "\"", omittingEmptySubsequences: false)
        return hasSecret || parts.count < 2 ? "unknown setting: \(advice)" : "unknown setting '\(parts[1])': \(advice)"
    }

    /// Finds faults that libpq finds only when it connects, and reports with the value. In a URL, it may be the end of a
    /// password with reserved characters.
    static func check(_ settings: [String: String], isURL: Bool) throws(PersistencyError) {
        let advice = isURL ? "; write '@', ':' and '/' in a user or password as %40, %3A and %2F" : ""
        let hosts = settings["host"].map(PostgresAddress.list) ?? []
        if isURL, hosts.contains(where: { !$0.hasPrefix("/") && $0.dropFirst().contains("@") }) {
            throw .invalidAddress("a host contains '@'\(advice)")
        }
        let ports = settings["port"].map(PostgresAddress.list) ?? []
        guard ports.allSatisfy({ $0.isEmpty || (1...65_535).contains(Int($0) ?? 0) }) else {
            throw .invalidAddress("a port is not a number from 1 to 65535\(advice)")
        }
    }
}

extension PersistencyError {
    static func invalidAddress(_ fault: String) -> PersistencyError {
        .unavailable(Unavailable(.failed, "invalid connection string of PostgreSQL: \(fault)"))
    }
}
#endif
