import AsyncHTTPClient
import Foundation
import NIOSSL
import Testing

@testable import LarderWebhooks

@Suite("Deliveries over TLS", .timeLimit(.minutes(5)))
struct WebhookTLSTests {
    /// A self-signed certificate of `receiver.test`, which no resolver knows, until 2120, in DER. Its key is for tests.
    private static let certificate = """
        MIIBTDCB9KADAgECAgEBMAoGCCqGSM49BAMCMBgxFjAUBgNVBAMMDXJlY2VpdmVyLnRlc3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEy\
        MDAxMDEwMDAwMDBaMBgxFjAUBgNVBAMMDXJlY2VpdmVyLnRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQyUSkw8/AAIK4S\
        lkzE4WZZrbGqRwJghMyDI397X0sn7bJ1JFDJ5jNbKNJ5oupNE6KZI2ZvJYUCUEGcbtj9fdVYoy0wKzAYBgNVHREEETAPgg1yZWNl\
        aXZlci50ZXN0MA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDRwAwRAIgdTJhjCRJH7Ekd1DsLMZo1DuZFhhsh3yV1yhuygBt\
        70QCIE+HifXHRVPlkGbd3pEZ/+ofkJNfC3IC8T0SpDIbxKJp
        """
    private static let key = """
        MHcCAQEEIGUUqWJB4kj8dINVdXiLk0bz9w4FSZbnwKgvSP48kkL0oAoGCCqGSM49AwEHoUQDQgAEMlEpMPPwACCuEpZMxOFmWa2x\
        qkcCYITMgyN/e19LJ+2ydSRQyeYzWyjSeaLqTROimSNmbyWFAlBBnG7Y/X3VWA==
        """

    private func error(for host: String, trusting: Bool) async throws -> (any Error)? {
        func bytes(_ text: String) -> [UInt8] { Array(Data(base64Encoded: text) ?? Data()) }
        let certificate = try NIOSSLCertificate(bytes: bytes(Self.certificate), format: .der)
        let key = try NIOSSLPrivateKey(bytes: bytes(Self.key), format: .der)
        let server = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(certificate)], privateKey: .privateKey(key))
        var error: (any Error)?
        try await Receiver.run(tls: server) { receiver in
            let webhook = try Webhook(
                receiver.url(host, scheme: "https"), secrets: [secret()], permitsPrivateAddresses: true,
                timeLimit: .seconds(120)
            ).resolving(to: "127.0.0.1").with { webhook in
                guard trusting else { return }
                webhook.configure = { configuration in
                    configuration.tlsConfiguration = .makeClientConfiguration()
                    configuration.tlsConfiguration?.trustRoots = .certificates([certificate])
                }
            }
            error = await webhook.failure()
            #expect(receiver.ids == (error == nil ? ["evt-1"] : []))
        }
        return error
    }

    @Test func `the certificate is of the URL's host, not of the address`() async throws {
        #expect(try await error(for: "receiver.test", trusting: true) == nil)
        for host in ["other.test", "127.0.0.1"] {
            guard case .failed(host: host, _)? = try await error(for: host, trusting: true) as? WebhookError else {
                Issue.record("\(host) is trusted")
                continue
            }
        }
    }

    @Test func `a certificate that the system does not trust is refused`() async throws {
        guard case .failed? = try await error(for: "receiver.test", trusting: false) as? WebhookError else {
            Issue.record("it is trusted")
            return
        }
    }
}
