internal import NIOCore

/// The IP address of a client.
struct ClientAddress: Sendable, Equatable {
    /// The bits as of IPv6. An address of IPv4 is in `::ffff:0:0/96`.
    let bits: UInt128
    /// The address in its usual form.
    let text: String

    init?(_ address: SocketAddress?) {
        guard let address, let text = address.ipAddress else { return nil }
        // The place of the bytes in `sockaddr_in` and `sockaddr_in6`.
        let (place, prefix): (Range<Int>, UInt128) = address.protocol == .inet ? (4..<8, 0xFFFF) : (8..<24, 0)
        bits = unsafe address.withSockAddr { pointer, size in
            unsafe UnsafeRawBufferPointer(start: pointer, count: size)[place].reduce(prefix) { $0 << 8 | UInt128($1) }
        }
        // A server that listens on `::` has clients of IPv4, too.
        self.text = bits >> 32 == 0xFFFF ? String(text.trimmingPrefix("::ffff:")) : text
    }

    /// Parses an address.
    init?(text: String) { self.init(try? SocketAddress(ipAddress: text, port: 0)) }

    /// Parses a node of `Forwarded` or `X-Forwarded-For`: an address, also in brackets or with a port, which is ignored.
    init?(node: String) {
        let parts = node.split(separator: ":", omittingEmptySubsequences: false)
        let isBracketed = node.hasPrefix("[")
        self.init(
            text: String(isBracketed ? node.dropFirst().prefix { $0 != "]" } : parts.count == 2 ? parts[0] : node[...]))
    }
}
