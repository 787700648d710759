internal import HTTPTypes
internal import NIOCore

/// The proxies whose `Forwarded` (RFC 7239) and `X-Forwarded-For` are trusted.
struct TrustedProxies: Sendable {
    let ranges: [AddressRange]

    private static let fields: [(name: HTTPField.Name?, node: @Sendable (Substring) -> String?)] = [
        (HTTPField.Name("Forwarded"), node(inElement:)), (HTTPField.Name("X-Forwarded-For"), { String($0) }),
    ]

    /// The address of a client: from the right, the first one that is no trusted proxy's.
    ///
    /// It is the peer's if a field is malformed, or if both fields are present with different results: a proxy passes on
    /// the field of the client that it does not know.
    func client(_ headers: HTTPFields, peer: SocketAddress?) -> String? {
        guard let peer = peer?.ipAddress.flatMap(ClientAddress.init(text:)) else { return nil }
        guard isTrusted(peer) else { return peer.text }
        let found = Self.fields.compactMap { name, node in
            name.flatMap { headers[$0] }.map { client(in: $0, from: peer, node) }
        }
        guard let first = found.first, found.allSatisfy({ $0 == first }) else { return peer.text }
        return first.text
    }

    private func isTrusted(_ address: ClientAddress) -> Bool { ranges.contains { $0.contains(address) } }

    private func client(
        in list: String, from peer: ClientAddress, _ node: (Substring) -> String?
    ) -> ClientAddress {
        var (client, rest) = (peer, list[...])
        while isTrusted(client), !rest.isEmpty {
            let start = rest.lastIndex(of: ",").map(rest.index(after:)) ?? rest.startIndex
            guard let text = node(rest[start...].trimmed), let next = ClientAddress(node: text) else { return peer }
            client = next
            rest = rest[..<start].dropLast()
        }
        return client
    }

    /// The value of `for` in an element of `Forwarded`.
    @Sendable private static func node(inElement element: Substring) -> String? {
        var node: String?
        for pair in element.split(separator: ";", omittingEmptySubsequences: false) {
            let parts = pair.trimmed.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            let isQuoted = parts[1].count > 1 && parts[1].hasPrefix("\"") && parts[1].hasSuffix("\"")
            let value = isQuoted ? parts[1].dropFirst().dropLast() : parts[1]
            // Part of a quoted text with a comma or a semicolon, which may be the client's.
            guard !value.contains(where: { $0 == "\"" || $0 == "\\" }) else { return nil }
            guard parts[0].lowercased() == "for" else { continue }
            guard node == nil else { return nil }
            node = String(value)
        }
        return node
    }
}

extension Substring {
    /// The text without spaces and tabs around it.
    fileprivate var trimmed: Substring {
        let start = drop { $0 == " " || $0 == "\t" }
        return start[..<(start.lastIndex { $0 != " " && $0 != "\t" }.map(start.index(after:)) ?? start.startIndex)]
    }
}
