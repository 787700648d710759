import HTTPTypes
import NIOCore
import Testing

@testable import LarderHTTP

struct TrustedProxiesTests {
    private static let ranges = ["10.0.0.0/8", "192.0.2.7", "2001:db8:1::/48", "::1"]

    /// The client of a request from a peer, with lines of fields.
    private func client(_ peer: String, _ lines: [(name: String, value: String)]) throws -> String? {
        let proxies = TrustedProxies(ranges: try Self.ranges.map { try #require(AddressRange($0)) })
        var headers = HTTPFields()
        for (name, value) in lines { headers.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value)) }
        return proxies.client(headers, peer: try SocketAddress(ipAddress: peer, port: 4711))
    }

    private func client(_ peer: String = "10.1.2.3", xff lines: String...) throws -> String? {
        try client(peer, lines.map { ("X-Forwarded-For", $0) })
    }

    private func client(_ peer: String = "10.1.2.3", forwarded lines: String...) throws -> String? {
        try client(peer, lines.map { ("Forwarded", $0) })
    }

    @Test func `the last address that is not trusted is the client's`() throws {
        #expect(try client(xff: "203.0.113.5") == "203.0.113.5")
        #expect(try client(xff: "203.0.113.5, 10.9.9.9,192.0.2.7") == "203.0.113.5")
        #expect(try client("2001:db8:1:2::3", xff: "2001:DB8:2:0::1") == "2001:db8:2::1")
        #expect(try client("::ffff:10.0.0.1", xff: "::ffff:203.0.113.5") == "203.0.113.5")
        #expect(try client("192.0.2.7", xff: "10.0.0.1, 10.0.0.2") == "10.0.0.1")
        #expect(try client("10.1.2.3", []) == "10.1.2.3")
        #expect(try client(forwarded: "for=203.0.113.5") == "203.0.113.5")
        #expect(
            try client(forwarded: #"by=10.0.0.1;FOR="[2001:db8:2::1]:4711"; proto=https , for=10.0.0.2"#)
                == "2001:db8:2::1")
    }

    @Test func `an address that a client sends itself is not its own`() throws {
        // The proxy appends the peer's address, in the same or in another line.
        #expect(try client(xff: "198.51.100.1, 203.0.113.5") == "203.0.113.5")
        #expect(try client(xff: "198.51.100.1", "203.0.113.5") == "203.0.113.5")
        #expect(try client(xff: "10.0.0.1, 203.0.113.5, 10.0.0.2") == "203.0.113.5")
        #expect(try client(xff: "unknown, 203.0.113.5") == "203.0.113.5")
        #expect(try client(forwarded: #"for="198.51.100.1"#, "for=203.0.113.5") == "203.0.113.5")
        // Without a proxy, nothing is trusted.
        #expect(try client("203.0.113.9", xff: "198.51.100.1") == "203.0.113.9")
        #expect(try client("192.0.2.8", xff: "198.51.100.1") == "192.0.2.8")
        // A proxy appends to one field, and passes on the other one.
        let both = [("X-Forwarded-For", "203.0.113.5"), ("Forwarded", "for=198.51.100.1")]
        #expect(try client("10.1.2.3", both) == "10.1.2.3")
        let equal = [("X-Forwarded-For", "203.0.113.5"), ("Forwarded", "for=203.0.113.5;host=a")]
        #expect(try client("10.1.2.3", equal) == "203.0.113.5")
        // A text that the proxy quotes contains a comma of the client.
        #expect(try client(forwarded: #"for=203.0.113.5;host="a,for=198.51.100.1""#) == "10.1.2.3")
        #expect(try client(forwarded: #"for=203.0.113.5;host="a,for=198.51.100.1;x=\"""#) == "10.1.2.3")
    }

    @Test(arguments: [
        "unknown", "_hidden", "", " ", ",", "203.0.113.5,", "203.0.113", "203.0.113.256", "1:2",
        "2001:db8::1::2", "203.0.113.5 x", "a.example",
        "203.0.113.5/8", "203.0.113.5, ,10.0.0.1", "203.0.113.5, unknown", #""203.0.113.5""#,
    ])
    func `with a malformed address, the client is the peer`(value: String) throws {
        #expect(try client(xff: value) == "10.1.2.3")
    }

    @Test(arguments: [
        "203.0.113.5", "for", "for=", "for=unknown", "for=_a", "by=203.0.113.5",
        "for=\"203.0.113.5",
        "for=203.0.113.5;for=203.0.113.6", #"for="203.0.113.5\""#, "for=203.0.113.5,,for=10.0.0.1",

    ])
    func `with a malformed element, the client is the peer`(value: String) throws {
        #expect(try client(forwarded: value) == "10.1.2.3")
    }

    @Test(arguments: [
        "203.0.113.5:80", "203.0.113.5:_x", "203.0.113.5", "[::ffff:203.0.113.5]:80", "  203.0.113.5\t",
        "[::ffff:203.0.113.5]",
    ])
    func `a port is no part of the address`(value: String) throws {
        #expect(try client(xff: value) == "203.0.113.5")
    }

    @Test func `a flood of commas or addresses costs no more than its length`() throws {
        let flood = String(repeating: ",", count: 32_000)
        #expect(try client(xff: flood + "203.0.113.5") == "203.0.113.5")
        #expect(try client(xff: "203.0.113.5" + flood) == "10.1.2.3")
        #expect(try client(xff: String(repeating: "10.0.0.1,", count: 4_000) + "10.0.0.2") == "10.0.0.1")
    }

    @Test func `a range has a prefix in bits, and is not of the other family`() throws {
        func contains(_ range: String, _ address: String) throws -> Bool {
            try #require(AddressRange(range)).contains(try #require(ClientAddress(text: address)))
        }
        #expect(try contains("10.0.0.0/9", "10.127.255.255"))
        #expect(try !contains("10.0.0.0/9", "10.128.0.0"))
        #expect(try contains("10.1.2.3/8", "10.255.0.0"))
        #expect(try contains("0.0.0.0/0", "203.0.113.5") && !contains("0.0.0.0/0", "2001:db8::1"))
        #expect(try contains("2001:db8::/33", "2001:db8:7fff::") && !contains("2001:db8::/33", "2001:db8:8000::"))
        #expect(try contains("::ffff:10.0.0.0/104", "10.255.0.0"))
        #expect(try !contains("10.0.0.1", "10.0.0.2"))
        for text in [
            "", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "10.0.0/8", "::/129", "a.example", "/8", "10.0.0.0/8/8",
        ] {
            #expect(AddressRange(text) == nil, "\(text)")
        }
    }
}
