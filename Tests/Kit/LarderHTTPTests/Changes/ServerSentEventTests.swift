import LarderData
import LarderDomain
@testable import LarderHTTP
import Testing

struct ServerSentEventTests {
    @Test func `each field has its line, and a blank line ends the event`() {
        let event = ServerSentEvent(event: "e", id: "1", data: "d", retry: 3000, comment: "c")
        #expect(event.encoded == ": c\nretry: 3000\nevent: e\nid: 1\ndata: d\n\n")
        #expect(ServerSentEvent().encoded == "\n")
        #expect(ServerSentEvent(comment: "").encoded == ":\n\n")
    }

    @Test func `each line of data is on a separate line`() {
        #expect(ServerSentEvent(data: "a\nb\r\nc\rd").encoded == "data: a\ndata: b\ndata: c\ndata: d\n\n")
        #expect(ServerSentEvent(data: "").encoded == "data: \n\n")
        #expect(ServerSentEvent(data: "\n").encoded == "data: \ndata: \n\n")
        #expect(ServerSentEvent(data: "a\u{2028}b\u{85}\u{B}c").encoded == "data: a\u{2028}b\u{85}\u{B}c\n\n")
    }

    @Test func `no other field begins a line`() {
        let event = ServerSentEvent(event: "a\ndata: x", id: "1\r\nretry: 1", comment: "\n\ndata: y")
        #expect(event.encoded == ":   data: y\nevent: a data: x\nid: 1 retry: 1\n\n")
    }

    @Test func `a commit is one event with all its changes`() {
        let commit = CommittedChanges(
            token: TestFeed.token(7), id: CommitID(),
            entries: [
                CommittedChange(
                    EntityReference(entity: "note", id: RawID(high: 0, low: 1)), kind: .inserted, version: 1,
                    owner: RawID(high: 0, low: 9)),
                CommittedChange(
                    EntityReference(entity: "a\"\\\u{1}", id: RawID(high: 1, low: 0)),
                    kind: .deleted, version: 12),
            ])
        let event = ServerSentEvent(.commit(commit, commit.token))
        let first = #"{"entity":"note","id":"00000000-0000-0000-0000-000000000001","version":1,"kind":"inserted"}"#
        let second =
            #"{"entity":"a\"\\\u0001","id":"00000000-0000-0001-0000-000000000000","version":12,"kind":"deleted"}"#
        #expect(event.encoded == "event: change\nid: 5f0c91ab5f0c91ab-7\ndata: {\"changes\":[\(first),\(second)]}\n\n")
    }

    @Test func `the other events have the position to resume from`() {
        let token = TestFeed.token(7)
        let reset = ServerSentEvent(.reset(.unknownID, token)).encoded
        #expect(reset == "event: reset\nid: 5f0c91ab5f0c91ab-7\ndata: {\"reason\":\"unknown-id\"}\n\n")
        #expect(ServerSentEvent(.shutdown(token)).encoded == "event: shutdown\nid: 5f0c91ab5f0c91ab-7\ndata: {}\n\n")
        #expect(ServerSentEvent(.heartbeat(token)).encoded == ":\nid: 5f0c91ab5f0c91ab-7\n\n")
        let hello = ServerSentEvent.hello(token, retry: 3000).encoded
        #expect(hello == "retry: 3000\nevent: hello\nid: 5f0c91ab5f0c91ab-7\ndata: {}\n\n")
        let before = ServerSentEvent.hello(nil, retry: 3000).encoded
        #expect(before == "retry: 3000\nevent: hello\ndata: {}\n\n")
    }
}
