internal import HTTPTypes
internal import LarderDomain
internal import NIOCore

/// The proxies whose `Forwarded` (RFC 7239) and `X-Forwarded-For` are trusted.
struct TrustedProxies: Sendable {
    let ranges: [AddressRange]

    /// The address of a client: from the right, the first one that is no trusted proxy's.
    ///
    /// It is the peer's if an address is malformed, or if the fields have different results: a proxy passes on the field
    /// of the client that it does not know.
    func client(_ headers: HTTPFields, peer: SocketAddress?) -> String? {
        guard let peer = ClientAddress(peer) else { return nil }
        let found = ["Forwarded", "X-Forwarded-For"].compactMap { name in
            HTTPField.Name(name).flatMap { headers[$0] }.map { client(in: $0, from: peer, name == "Forwarded") }
        }
        return (found.allSatisfy { $0 == found.first } ? found.first ?? peer : peer).text
    }

    private func client(in list: String, from peer: ClientAddress, _ isForwarded: Bool) -> ClientAddress {
        var (client, rest) = (peer, list[...])
        while ranges.contains(where: { [client] in $0.contains(client) }), !rest.isEmpty {
            let start = rest.lastIndex(of: ",").map(rest.index(after:)) ?? rest.startIndex
            let element = String(rest[start...]).trimmed
            guard let node = isForwarded ? element.flatMap(Self.node) : element, let next = ClientAddress(node: node)
            else {
                return peer
            }
            (client, rest) = (next, rest[..<start].dropLast())
        }
        return client
    }

    /// The value of `for` in an element of `Forwarded`.
    private static func node(in element: String) -> String? {
        // Otherwise it is a part of a quoted text with commas, which may be the client's.
        guard !element.contains("\\"), element.count(where: { $0 == "\"" }).isMultiple(of: 2) else { return nil }
        let nodes = element.split(separator: ";").compactMap { pair in
            let parts = pair.split(separator: "=", maxSplits: 1).compactMap { String($0).trimmed }
            return parts.count == 2 && parts[0].lowercased() == "for" ? parts[1].filter { $0 != "\"" } : nil
        }
        return nodes.count == 1 ? nodes[0] : nil
    }
}
