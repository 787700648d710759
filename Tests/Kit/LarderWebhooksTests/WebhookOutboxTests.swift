import LarderData
import LarderDomain
import LarderFollowers
import LarderWebhooks
import Synchronization
import Testing

@testable import LarderFollowersTests

@Suite("Webhooks of an outbox", .timeLimit(.minutes(5)))
struct WebhookOutboxTests {
    private func deliver(
        _ count: Int, answer: @escaping @Sendable (_ before: Int) -> Receiver.Answer,
        _ check: (_ recorded: [NoteTaken], _ messages: [Receiver.Message]) throws -> Void
    ) async throws {
        let notes = try await FollowedNotes(.memory)
        try await Receiver.run(answer: answer) { receiver in
            let (url, text) = (receiver.url(), secretText)
            let webhook = try Webhook(url, secrets: [WebhookSecret(text)], permitsPrivateAddresses: true)
            let outbox = Follower.outbox(
                "hooks",
                [
                    Delivery(of: NoteTaken.self) { event in
                        try await webhook.send(Array(#"{"text":"\#(event.text)"}"#.utf8), id: event.id.description)
                    }
                ])
            let followers = try notes.followers(outbox)
            try await notes.run(followers) { try await notes.position("hooks") != nil }
            var recorded: [NoteTaken] = []
            for number in 1...count {
                recorded.append(NoteTaken(Note(number), "taken \(number)"))
                try await notes.manager.create(recorded[number - 1])
            }
            try await notes.run(followers) { try await notes.manager.read(Query<NoteTaken>()).items.isEmpty }
            try check(recorded, receiver.messages.withLock { $0 })
        }
    }

    @Test func `events arrive in the order of their commits, each with its id`() async throws {
        try await deliver(20, answer: { _ in .status(204) }) { recorded, messages in
            #expect(messages.map(\.id) == recorded.map(\.id.description))
            #expect(messages.map(\.body) == recorded.map { Array(#"{"text":"\#($0.text)"}"#.utf8) })
        }
    }

    @Test func `a repeated event has the same id, and is before the next one`() async throws {
        // The second event fails three times: by its status, by a connection that ends, and by a redirect.
        let answers: [Int: Receiver.Answer] = [1: .status(500), 2: .close, 3: .status(308, location: "/other")]
        try await deliver(3, answer: { answers[$0] ?? .status(200) }) { recorded, messages in
            let ids = recorded.map(\.id.description)
            #expect(messages.map(\.id) == [ids[0], ids[1], ids[1], ids[1], ids[1], ids[2]])
            for message in messages {
                let id = try WebhookSignature.check(message.headers, body: message.body, secrets: [secret()])
                #expect(id == message.id)
            }
        }
    }
}
