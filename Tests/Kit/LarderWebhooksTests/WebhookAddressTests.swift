import NIOCore
import NIOPosix
import Testing

@testable import LarderWebhooks

@Suite("The addresses of receivers")
struct WebhookAddressTests {
    @Test(arguments: [
        // Unspecified, this network
        "0.0.0.0", "0.255.255.255", "::",
        // Loopback
        "127.0.0.1", "127.255.255.254", "::1",
        // Private, unique local
        "10.0.0.0", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.0.1", "192.168.255.255", "fc00::1",
        "fdff:ffff::1",
        // Carrier-grade NAT
        "100.64.0.0", "100.127.255.255",
        // Link-local and metadata, site-local
        "169.254.0.1", "169.254.169.254", "fe80::1", "febf::1", "fec0::1", "fd00:ec2::254",
        // Protocol assignments, relays of 6to4
        "192.0.0.1", "192.0.0.170", "192.88.99.255", "2001::1", "2001:1::1", "2001:1ff:ffff::1",
        // Documentation, benchmarks
        "192.0.2.255", "198.51.100.255", "203.0.113.255", "198.18.0.1", "198.19.255.255", "2001:db8::1", "2001:2::1",
        "3fff::1", "3fff:fff:ffff::1",
        // Multicast, reserved, broadcast
        "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255", "ff02::1", "ff0e::1",
        // Addresses that contain one of IPv4
        "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::127.0.0.1", "::8.8.8.8",
        "64:ff9b::127.0.0.1", "64:ff9b::10.0.0.1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::8.8.8.8", "64:ff9b::1:8.8.8.8",
        "2002:7f00:1::1", "2002:a00:1::1", "2002:808:808::1", "2002:c0a8:1::1", "2001:0:7f00:1::1",
        "::ffff:0:127.0.0.1",
        // Discard-only, segment routing, unassigned
        "100::1", "5f00::1", "1::1", "4000::1", "8000::1", "e000::1",
    ])
    func `an address that is not global unicast is refused`(_ text: String) async throws {
        #expect(try !HostAddress(text).isPublic)
        let webhook = try Webhook("https://receiver.invalid/", secrets: [secret()])
        // One of several is enough.
        for addresses in [webhook.resolving(to: text), webhook.resolving(to: "8.8.8.8", text)] {
            #expect(await addresses.failure() as? WebhookError == .privateAddress(host: "receiver.invalid"))
        }
    }

    @Test(arguments: [
        "1.0.0.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
        "128.0.0.0", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.0.3.0",
        "192.88.98.255", "192.88.100.0", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0",
        "198.51.99.255", "198.51.101.0", "203.0.112.255", "203.0.114.0", "223.255.255.255", "2000::1", "2001:200::1",
        "2001:db7::1", "2001:db9::1", "2003::1", "2606:4700:4700::1111", "2a00:1450:4001:829::200e", "3ffe::1",
        "3fff:1000::1", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8",
    ])
    func `a global unicast address is permitted`(_ text: String) throws {
        #expect(try HostAddress(text).isPublic)
        #expect(
            try Webhook("https://receiver.invalid/", secrets: [secret()]).permits(HostAddress(text)))
    }

    @Test(arguments: ["8.8.4.4", "2606:4700:4700::1111", "::ffff:8.8.4.4"])
    func `the system's resolver returns each address once, with all of its bytes`(_ text: String) async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let found = try await HostAddress.lookUp(text, on: loop).get()
        #expect(try found.map(\.bytes) == [HostAddress(text).bytes])
    }

    /// With the resolver of the system, which knows these forms.
    @Test(arguments: [
        "127.0.0.1", "2130706433", "0x7f.1", "0x7f000001", "017700000001", "127.1", "0", "localhost", "LOCALHOST",
        "[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[64:ff9b::7f00:1]", "169.254.169.254", "0xa9fea9fe",
    ])
    func `every notation of a private address is refused`(_ host: String) async throws {
        let webhook = try Webhook("https://\(host)/", secrets: [secret()], timeLimit: .seconds(60))
        let name = String(host.drop { $0 == "[" }.prefix { $0 != "]" })
        #expect(await webhook.failure() as? WebhookError == .privateAddress(host: name))
    }

    @Test(arguments: [
        "", " ", "example.org", "//example.org", "/hook", "https:", "https://", "https:///hook", "https://?q",
        "http://example.org", "ftp://example.org", "unix:///tmp/socket", "http+unix://%2Ftmp%2Fsocket/",
        "https+unix://%2Ftmp%2Fsocket/", "file:///etc/passwd", "javascript:alert(1)", "https://user@example.org",
        "https://user:word@example.org", "https://:word@example.org", "https://@example.org",
        "https://example.org/#part", "https://example.org#", "https://example.org:0", "https://example.org:65536",
        "https://example.org:-1", "https://example.org:x", "https://exa mple.org", "https://example.org.",
        "https://127.0.0.1./", "https://ex%00ample.org", "https://ex%0d%0aample.org", "https://a%2Fb", "https://[::1",
        "https://[::1%25lo]/", "https://[fe80::1%lo]/",
    ])
    func `an invalid URL is a typed error`(_ url: String) throws {
        #expect(throws: WebhookError.invalidURL) { try Webhook(url, secrets: [secret()]) }
    }

    @Test(arguments: [
        ("https://example.org", "example.org"), ("HTTPS://Example.org:8443/hook?a=b", "Example.org"),
        ("https://[2606:4700::1111]/", "2606:4700::1111"), ("https://8.8.8.8", "8.8.8.8"),
        ("https://xn--bcher-kva.example/", "xn--bcher-kva.example"),
    ])
    func `a valid URL has a host`(_ url: String, _ host: String) throws {
        #expect(try Webhook(url, secrets: [secret()]).host == host)
    }

    @Test func `HTTP without TLS needs the permission of private addresses, and a webhook needs a secret`() throws {
        #expect(
            try Webhook("http://example.org", secrets: [secret()], permitsPrivateAddresses: true).host == "example.org")
        #expect(throws: WebhookError.invalidSecret) { try Webhook("https://example.org", secrets: []) }
    }
}
