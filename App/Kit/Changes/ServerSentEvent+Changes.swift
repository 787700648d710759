internal import LarderData

extension ServerSentEvent {
    /// The event that tells a client what a feed tells.
    ///
    /// - `change`: one commit, `{"changes":[{"entity":"recipe","id":"…","version":3,"kind":"updated"}]}`.
    /// - `reset`: read again what you show, `{"reason":"overrun"}`.
    /// - `shutdown`: the server stops; `{}`.
    ///
    /// A heartbeat is a comment with the id alone, which moves the place to come back to and calls no listener.
    ///
    /// - Parameter names: The names of entities, by their schemas' names; an entity that is not in it has its schema's.
    init(_ event: FeedEvent, names: [String: String] = [:]) {
        switch event {
        case .commit(let commit, let id):
            let changes = JSON.array(commit.entries.map { Self.json($0, names) })
            self.init(event: "change", id: id.description, data: Self.text("changes", changes))
        case .reset(let reason, let id):
            self.init(event: "reset", id: id.description, data: Self.text("reason", .string(reason.rawValue)))
        case .shutdown(let id):
            self.init(event: "shutdown", id: id.description, data: "{}")
        case .heartbeat(let id):
            self.init(id: id.description, comment: "")
        }
    }

    /// The first event of every stream: where it begins, so that a client that saw nothing else can come back to it;
    /// without a place where a reset follows. See ``ChangeSubscription/start``.
    static func hello(_ start: EventID?, retry: Int) -> ServerSentEvent {
        ServerSentEvent(event: "hello", id: start?.description, data: "{}", retry: retry)
    }

    private static func json(_ change: CommittedChange, _ names: [String: String]) -> JSON {
        let entity = change.key.schema.name
        return .object([
            JSON.Member("entity", .string(names[entity] ?? entity)), JSON.Member("id", .string("\(change.key.id)")),
            JSON.Member("version", .integer(change.version)), JSON.Member("kind", .string(change.kind.rawValue)),
        ])
    }

    private static func text(_ name: String, _ value: JSON) -> String {
        String(decoding: JSON.object([JSON.Member(name, value)]).bytes(), as: UTF8.self)
    }
}
