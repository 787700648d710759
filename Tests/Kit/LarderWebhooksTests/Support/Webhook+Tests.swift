import LarderDomain
import NIOCore
import Synchronization

@testable import LarderWebhooks

let secretText = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
let otherSecretText = "whsec_" + "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

func secret(_ text: String = secretText) throws -> WebhookSecret { try WebhookSecret(text) }

extension Receiver {
    func url(_ host: String = "127.0.0.1", scheme: String = "http") -> String {
        "\(scheme)://\(host):\(port)/hooks/path-1?token=query-1"
    }

    func webhook(_ host: String = "127.0.0.1", timeLimit: Duration = .seconds(60)) throws -> Webhook {
        try Webhook(
            url(host), secrets: [secret()], permitsPrivateAddresses: true, timeLimit: timeLimit,
            userAgent: "tests/1")
    }
}

extension Webhook {
    func with(_ change: (inout Webhook) -> Void) -> Webhook {
        var webhook = self
        change(&webhook)
        return webhook
    }

    /// The same webhook with other addresses of its host.
    func resolving(to addresses: String...) -> Webhook {
        with { webhook in
            webhook.lookUp = { _, loop in loop.makeCompletedFuture { try addresses.map(HostAddress.init) } }
        }
    }

    /// The error of a delivery.
    func failure() async -> (any Error)? {
        do { try await send([], id: "evt-1") } catch { return error }
        return nil
    }
}

extension HostAddress {
    init(_ text: String) throws {
        let bytes: [UInt8] =
            switch try SocketAddress(ipAddress: text, port: 0) {
            case .v4(let address): unsafe withUnsafeBytes(of: address.address) { unsafe Array($0[4..<8]) }
            case .v6(let address): unsafe withUnsafeBytes(of: address.address) { unsafe Array($0[8..<24]) }
            case .unixDomainSocket: []
            }
        self.init(bytes: bytes)
    }
}

/// A resolver whose answers a test counts.
final class CountedAnswers: Sendable {
    private let asked = Mutex<[String]>([])

    var hosts: [String] { asked.withLock { $0 } }

    /// The first answer, and the one to later questions.
    func lookUp(
        _ first: String, then later: String
    ) -> @Sendable (String, any EventLoop) -> EventLoopFuture<[HostAddress]> {
        { host, loop in
            let count = self.asked.withLock { hosts in
                hosts.append(host)
                return hosts.count
            }
            return loop.makeCompletedFuture { [try HostAddress(count == 1 ? first : later)] }
        }
    }
}
