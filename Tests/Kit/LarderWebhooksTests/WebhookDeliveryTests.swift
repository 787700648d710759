import AsyncHTTPClient
import HTTPTypes
import LarderDomain
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import LarderFollowersTests
@testable import LarderWebhooks

@Suite("Deliveries to a receiver", .timeLimit(.minutes(5)))
struct WebhookDeliveryTests {
    private let body = Array(#"{"number":1}"#.utf8)

    @Test func `a delivery is a signed POST of the body`() async throws {
        try await Receiver.run { receiver in
            // The system's resolver finds this name.
            try await receiver.webhook("localhost").send(body, id: "evt-1")
            let message = try #require(receiver.messages.withLock { $0 }.first)
            #expect(message.path == "POST /hooks/path-1?token=query-1" && message.body == body && message.id == "evt-1")
            #expect(message.headers[.contentType] == "application/json")
            #expect(message.headers[.contentLength] == "\(body.count)")
            #expect(message.headers[.userAgent] == "tests/1")
            #expect(message.headers[HTTPField.Name("host")!] == "localhost:\(receiver.port)")
            #expect(try WebhookSignature.check(message.headers, body: message.body, secrets: [secret()]) == "evt-1")
            #expect(throws: WebhookSignatureError.mismatch) {
                try WebhookSignature.check(message.headers, body: message.body, secrets: [secret(otherSecretText)])
            }
            try await eventually { receiver.isIdle }
        }
    }

    @Test func `no trace gets the URL, and no proxy the delivery`() async throws {
        try await Receiver.run { receiver in
            let isPlain = Mutex<Bool?>(nil)
            let webhook = try receiver.webhook().with { webhook in
                webhook.configure = { configuration in
                    let (tracer, proxy) = (configuration.tracing.tracer, configuration.proxy)
                    isPlain.withLock { $0 = tracer == nil && proxy == nil }
                }
            }
            try await webhook.send(body, id: "evt-1")
            #expect(isPlain.withLock { $0 } == true)
        }
    }

    @Test func `during a rotation, each current secret signs`() async throws {
        try await Receiver.run { receiver in
            let secrets = [try secret(), try secret(otherSecretText)]
            try await Webhook(receiver.url(), secrets: secrets, permitsPrivateAddresses: true).send(body, id: "evt-1")
            let message = try #require(receiver.messages.withLock { $0 }.first)
            for secret in secrets {
                #expect(try WebhookSignature.check(message.headers, body: body, secrets: [secret]) == "evt-1")
            }
            #expect(throws: WebhookSignatureError.mismatch) {
                let third = try secret("whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")
                _ = try WebhookSignature.check(message.headers, body: body, secrets: [third])
            }
        }
    }

    @Test(arguments: [200, 201, 202, 204, 299]) func `a status of success ends the delivery`(_ status: Int) async throws
    {
        try await Receiver.run(answer: { _ in .status(status) }) { receiver in
            try await receiver.webhook().send(body, id: "evt-1")
            #expect(receiver.ids == ["evt-1"])
        }
    }

    @Test(arguments: [300, 301, 302, 303, 307, 308, 400, 401, 404, 410, 429, 500, 503, 599])
    func `any other status is an error, and no redirect is followed`(_ status: Int) async throws {
        try await Receiver.run(answer: { _ in .status(status, location: "/other") }) { receiver in
            let error = try await receiver.webhook().failure()
            #expect(error as? WebhookError == .refused(host: "127.0.0.1", status: status))
            #expect(receiver.ids == ["evt-1"])
            let text = error.map { "\($0)" } ?? ""
            #expect(text == "the webhook's host 127.0.0.1 responded with status \(status)")
            try await eventually { receiver.isIdle }
        }
    }

    @Test(arguments: [Receiver.Answer.close, .bytes("query-1 HTTP\r\n\r\n"), .bytes("HTTP/1.1 200 OK\r\nquery-1")])
    func `a response that is no HTTP, or does not end, is an error without a secret`(
        _ answer: Receiver.Answer
    )
        async throws
    {
        try await Receiver.run(answer: { _ in answer }) { receiver in
            let isUnfinished = if case .bytes(let text) = answer { text.hasPrefix("HTTP/1.1 200") } else { false }
            let error = try await receiver.webhook(timeLimit: isUnfinished ? .milliseconds(300) : .seconds(120))
                .failure()
            switch error as? WebhookError {
            case .failed(host: "127.0.0.1", _)? where !isUnfinished: #expect(receiver.ids == ["evt-1"])
            case .timedOut(host: "127.0.0.1")? where isUnfinished: break
            default: Issue.record("\(String(describing: error))")
            }
            for hidden in ["query-1", "path-1", "MfKQ"] { #expect(!"\(String(describing: error))".contains(hidden)) }
            try await eventually { receiver.isIdle }
        }
    }

    @Test func `nobody at the address is an error`() async throws {
        let port = Mutex(0)
        try await Receiver.run { receiver in port.withLock { $0 = receiver.port } }
        let url = "http://127.0.0.1:\(port.withLock { $0 })/"
        let webhook = try Webhook(
            url, secrets: [secret()], permitsPrivateAddresses: true, timeLimit: .seconds(3_600))
        guard case .failed(host: "127.0.0.1", _)? = await webhook.failure() as? WebhookError else {
            Issue.record("no error")
            return
        }
    }

    @Test func `a body that does not end is not read`() async throws {
        try await Receiver.run(answer: { _ in .endless }) { receiver in
            try await receiver.webhook().send(body, id: "evt-1")
            try await eventually { receiver.isIdle }
        }
    }

    @Test func `a receiver has only so much time to respond`() async throws {
        try await Receiver.run(answer: { _ in .silence }) { receiver in
            let error = try await receiver.webhook(timeLimit: .milliseconds(200)).failure()
            #expect(error as? WebhookError == .timedOut(host: "127.0.0.1"))
            try await eventually { receiver.isIdle }
        }
    }

    @Test func `the time limit includes the resolution of the name and the TLS handshake`() async throws {
        let promise = MultiThreadedEventLoopGroup.singleton.any().makePromise(of: [HostAddress].self)
        let stuck = try Webhook("https://receiver.invalid", secrets: [secret()], timeLimit: .milliseconds(50))
            .with { webhook in webhook.lookUp = { _, _ in promise.futureResult } }
        #expect(await stuck.failure() as? WebhookError == .timedOut(host: "receiver.invalid"))
        promise.succeed([])
        try await Receiver.run(isMute: true) { receiver in
            let mute = try Webhook(
                receiver.url(scheme: "https"), secrets: [secret()], permitsPrivateAddresses: true,
                timeLimit: .milliseconds(200))
            #expect(await mute.failure() as? WebhookError == .timedOut(host: "127.0.0.1"))
            try await eventually { receiver.isIdle }
        }
    }

    @Test(arguments: ["", "a.1", "a b", "a\r\nx: y", "\u{e4}", "a\u{7f}"])
    func `an id that cannot be signed without ambiguity is refused`(_ id: String) async throws {
        try await Receiver.run { receiver in
            let webhook = try receiver.webhook()
            await #expect(throws: WebhookError.invalidID) { try await webhook.send(body, id: id) }
            #expect(receiver.connections.withLock { $0.all } == 0)
        }
    }

    @Test func `a cancelled delivery ends at once, and closes its connection`() async throws {
        let promise = MultiThreadedEventLoopGroup.singleton.any().makePromise(of: [HostAddress].self)
        let stuck = try Webhook("https://receiver.invalid", secrets: [secret()], timeLimit: .seconds(600))
            .with { webhook in webhook.lookUp = { _, _ in promise.futureResult } }
        let resolving = Task { await stuck.failure() }
        try await Task.sleep(for: .milliseconds(20))
        resolving.cancel()
        #expect(await resolving.value is CancellationError)
        promise.succeed([])
        try await Receiver.run(answer: { _ in .silence }) { receiver in
            let webhook = try receiver.webhook(timeLimit: .seconds(600))
            let delivery = Task { await webhook.failure() }
            try await eventually { receiver.ids.count == 1 }
            delivery.cancel()
            #expect(await delivery.value is CancellationError)
            try await eventually { receiver.isIdle }
        }
    }

    @Test(arguments: ["receiver.invalid", "RECEIVER.Invalid", "1.2.3.4"])
    func `a name is resolved once, and the connection is to the address that was checked`(_ host: String) async throws {
        try await Receiver.run { receiver in
            let answers = CountedAnswers()
            let checked = Mutex<[[UInt8]]>([])
            let webhook = try receiver.webhook(host).with { webhook in
                // A rebinding: the second answer is another address.
                webhook.lookUp = answers.lookUp("127.0.0.1", then: "127.0.0.2")
                webhook.permits = { address in
                    checked.withLock { $0.append(address.bytes) }
                    return address.bytes == [127, 0, 0, 1]
                }
            }
            try await webhook.send(body, id: "evt-1")
            #expect(answers.hosts == [host] && checked.withLock { $0 } == [[127, 0, 0, 1]])
            let message = try #require(receiver.messages.withLock { $0 }.first)
            #expect(message.headers[HTTPField.Name("host")!] == "\(host):\(receiver.port)")
            // The next delivery gets the second answer, and refuses it.
            #expect(await webhook.failure() as? WebhookError == .privateAddress(host: host))
            #expect(answers.hosts.count == 2 && receiver.connections.withLock { $0.all } == 1)
        }
    }

    @Test func `a private address gets no connection, and neither does a public one among private ones`() async throws {
        try await Receiver.run { receiver in
            let webhook = try Webhook(receiver.url("receiver.invalid", scheme: "https"), secrets: [secret()])
            for refused in [webhook.resolving(to: "127.0.0.1"), webhook.resolving(to: "127.0.0.1", "8.8.8.8")] {
                #expect(await refused.failure() as? WebhookError == .privateAddress(host: "receiver.invalid"))
            }
            #expect(receiver.connections.withLock { $0.all } == 0)
        }
    }

    @Test func `a name without an address is an error`() async throws {
        let webhook = try Webhook("https://receiver.invalid", secrets: [secret()])
        let error = WebhookError.failed(host: "receiver.invalid", reason: "the name has no address")
        #expect(await webhook.resolving().failure() as? WebhookError == error)
        // The system's resolver refuses this name without a question to another machine.
        let long = String(repeating: "a", count: 300)
        let unknown = try Webhook("https://\(long).invalid", secrets: [secret()], timeLimit: .seconds(120))
        guard case .failed? = await unknown.failure() as? WebhookError else {
            Issue.record("no error")
            return
        }
    }

    @Test func `the next address is tried if the connection fails, and not if the delivery fails`() async throws {
        try await Receiver.run(answer: { $0 == 0 ? .status(200) : .close }) { receiver in
            // Nothing listens at the first one.
            let first = try receiver.webhook("receiver.invalid", timeLimit: .seconds(3_600))
            try await first.resolving(to: "::1", "127.0.0.1").send(body, id: "evt-1")
            #expect(receiver.ids == ["evt-1"])
            let webhook = try receiver.webhook("receiver.invalid").resolving(to: "127.0.0.1", "127.0.0.1")
            #expect(await webhook.failure() is WebhookError)
            #expect(receiver.ids.count == 2)
        }
    }
}
