internal import NIOCore
internal import NIOPosix

#if canImport(Glibc)
private import Glibc
#elseif canImport(Musl)
private import Musl
#else
private import Darwin
#endif

/// An address of a host: 4 bytes of IPv4, or 16 of IPv6.
struct HostAddress: Sendable {
    let bytes: [UInt8]

    /// The prefixes of IPv4 that are not public, with their numbers of bits (the registry of RFC 6890).
    private static let privateIPv4: [(prefix: UInt32, bits: UInt32)] = [
        // 0.0.0.0: this network. 10.0.0.0: private. 100.64.0.0: carrier-grade NAT. 127.0.0.0: loopback.
        (0x0000_0000, 8), (0x0A00_0000, 8), (0x6440_0000, 10), (0x7F00_0000, 8),
        // 169.254.0.0: link-local, metadata of clouds. 172.16.0.0 and 192.168.0.0: private.
        (0xA9FE_0000, 16), (0xAC10_0000, 12), (0xC0A8_0000, 16),
        // 192.0.0.0: protocol assignments. 192.88.99.0: relays of 6to4. 198.18.0.0: benchmarks.
        (0xC000_0000, 24), (0xC058_6300, 24), (0xC612_0000, 15),
        // 192.0.2.0, 198.51.100.0 and 203.0.113.0: documentation. 224.0.0.0: multicast, reserved, broadcast.
        (0xC000_0200, 24), (0xC633_6400, 24), (0xCB00_7100, 24), (0xE000_0000, 3),
    ]

    /// The prefixes within 2000::/3, the global unicast addresses of IPv6, that are not public.
    private static let privateIPv6: [(prefix: UInt32, bits: UInt32)] = [
        // 2001::/23: protocol assignments, Teredo. 2002::/16: 6to4. 2001:db8::/32 and 3fff::/20: documentation.
        (0x2001_0000, 23), (0x2002_0000, 16), (0x2001_0DB8, 32), (0x3FFF_0000, 20),
    ]

    /// Whether the address is global unicast. An address of IPv6 that contains one of IPv4 (mapped, or by NAT64) is
    /// public if that one is.
    var isPublic: Bool {
        let bits = bytes.reduce(0 as UInt128) { $0 << 8 | UInt128($1) }
        if bytes.count == 4 || bits >> 32 == 0xFFFF || bits >> 32 == 0x64_FF9B << 64 {
            return !Self.isListed(UInt32(truncatingIfNeeded: bits), in: Self.privateIPv4)
        }
        return bits >> 125 == 1 && !Self.isListed(UInt32(bits >> 96), in: Self.privateIPv6)
    }

    private static func isListed(_ word: UInt32, in prefixes: [(prefix: UInt32, bits: UInt32)]) -> Bool {
        prefixes.contains { (word ^ $0.prefix) >> (32 - $0.bits) == 0 }
    }

    /// All addresses of a name, in the order of the system (RFC 6724); none if the resolution fails.
    ///
    /// It blocks a thread of NIO's pool. With Dispatch, as NIO's resolvers do it, slow names would delay Swift's tasks.
    @Sendable static func lookUp(_ host: String, on loop: any EventLoop) -> EventLoopFuture<[HostAddress]> {
        NIOThreadPool.singleton.runIfActive(eventLoop: loop) {
            var (hints, list, found) = unsafe (addrinfo(), UnsafeMutablePointer<addrinfo>?.none, [HostAddress]())
            // SOCK_STREAM, whose type differs by system.
            unsafe hints.ai_socktype = 1
            guard unsafe getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
            defer { unsafe freeaddrinfo(list) }
            var next = unsafe list
            while let info = unsafe next?.pointee {
                // The offset and the size of the bytes in `sockaddr_in` and `sockaddr_in6`.
                let (start, size) = unsafe info.ai_family == AF_INET ? (4, 4) : (8, 16)
                let bytes = unsafe UnsafeRawBufferPointer(start: info.ai_addr, count: Int(info.ai_addrlen))
                unsafe found.append(HostAddress(bytes: Array(bytes[start..<start + size])))
                unsafe next = info.ai_next
            }
            return found
        }
    }
}
