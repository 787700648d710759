internal import NIOCore

#if canImport(Glibc)
private import Glibc
#elseif canImport(Musl)
private import Musl
#else
private import Darwin
#endif

/// The IP address of a client.
struct ClientAddress: Sendable, Equatable {
    /// The bits as of IPv6. An address of IPv4 is in `::ffff:0:0/96`.
    let bits: UInt128
    /// The address in its usual form.
    let text: String

    /// Parses an address.
    init?(text: String) {
        guard let text = try? SocketAddress(ipAddress: text, port: 0).ipAddress else { return nil }
        var bits: UInt128 = 0
        guard unsafe inet_pton(AF_INET6, text.contains(":") ? text : "::ffff:\(text)", &bits) == 1 else { return nil }
        self.bits = UInt128(bigEndian: bits)
        // A server that listens on `::` has clients of IPv4, too.
        self.text = self.bits >> 32 == 0xFFFF ? String(text.trimmingPrefix("::ffff:")) : text
    }

    /// Parses a node of `Forwarded` or `X-Forwarded-For`: an address with an optional port.
    init?(node: String) {
        let isBracketed = node.hasPrefix("[")
        // Without brackets, an address of IPv6 has no port.
        let isBare = !isBracketed && node.count { $0 == ":" } > 1
        guard isBare || HostField.isValid(node) else { return nil }
        self.init(
            text: isBare
                ? node
                : isBracketed ? String(node.dropFirst().prefix { $0 != "]" }) : String(node.prefix { $0 != ":" }))
    }
}
