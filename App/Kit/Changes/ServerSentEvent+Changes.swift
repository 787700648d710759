internal import LarderData

extension ServerSentEvent {
    /// The event that tells a client what a feed tells.
    ///
    /// - `change`: one commit, `{"changes":[{"entity":"recipe","id":"…","version":3,"kind":"updated"}]}`.
    /// - `reset`: read again what you show, `{"reason":"overrun"}`.
    /// - `shutdown`: the server stops; `{}`.
    ///
    /// A heartbeat is a comment with the id alone, which moves the place to come back to and calls no listener.
    init(_ event: FeedEvent) {
        switch event {
        case .commit(let commit, let id):
            let changes = commit.entries.map(Self.json).joined(separator: ",")
            self.init(event: "change", id: id.description, data: "{\"changes\":[\(changes)]}")
        case .reset(let reason, let id):
            self.init(event: "reset", id: id.description, data: "{\"reason\":\"\(reason.rawValue)\"}")
        case .shutdown(let id):
            self.init(event: "shutdown", id: id.description, data: "{}")
        case .heartbeat(let id):
            self.init(id: id.description, comment: "")
        }
    }

    /// The first event of every stream: where it begins, so that a client that saw nothing else can come back to it.
    static func hello(_ start: EventID, retry: Int) -> ServerSentEvent {
        ServerSentEvent(event: "hello", id: start.description, data: "{}", retry: retry)
    }

    private static func json(_ change: CommittedChange) -> String {
        let entity = quoted(change.key.schema.name)
        let kind = change.kind.rawValue
        return "{\"entity\":\(entity),\"id\":\"\(change.key.id)\",\"version\":\(change.version),\"kind\":\"\(kind)\"}"
    }

    /// A schema may have any name.
    private static func quoted(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            case "\0"..<" ": "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: String(scalar)
            }
        }
        return "\"\(scalars.joined())\""
    }
}
