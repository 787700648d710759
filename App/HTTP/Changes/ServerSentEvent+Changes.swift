internal import LarderApp
internal import LarderDomain

extension ServerSentEvent {
    /// Encodes an event of a feed for clients.
    ///
    /// - `change`: one commit, `{"changes":[{"entity":"recipe","id":"…","version":3,"kind":"updated"}]}`. A commit that
    ///   changed entities without naming them (an update by query, or a reference that was removed from all entities that
    ///   had it) adds `"stale":["recipe"]`: read this kind of entity again.
    /// - `reset`: read all displayed data again, `{"reason":"gap"}`.
    /// - `shutdown`: the server stops; `{}`.
    ///
    /// A heartbeat is a comment with only an id, which advances the position for reconnecting and calls no listener.
    ///
    /// - Parameter names: The names of entities by the names of their schemas; by default the schema's name.
    init(_ event: FeedEvent, names: [String: String] = [:]) {
        switch event {
        case .commit(let commit, let token):
            var members = [JSON.Member("changes", .array(commit.entries.map { Self.json($0, names) }))]
            let stale = commit.staleEntities.map { names[$0] ?? $0 }.sorted()
            if !stale.isEmpty { members.append(JSON.Member("stale", .array(stale.map(JSON.string)))) }
            self.init(event: "change", id: token.description, data: Self.text(members))
        case .reset(let reason, let token):
            self.init(
                event: "reset", id: token.description,
                data: Self.text([JSON.Member("reason", .string(reason.rawValue))]))
        case .shutdown(let token):
            self.init(event: "shutdown", id: token.description, data: "{}")
        case .heartbeat(let token):
            self.init(id: token.description, comment: "")
        }
    }

    /// The first event of every stream: the start position, so that a client without any other event can resume there.
    /// It has no position if a reset follows. See ``ChangeSubscription/start``.
    static func hello(_ start: ChangeToken?, retry: Int) -> ServerSentEvent {
        ServerSentEvent(event: "hello", id: start?.description, data: "{}", retry: retry)
    }

    private static func json(_ change: CommittedChange, _ names: [String: String]) -> JSON {
        let entity = change.reference.entity
        return .object([
            JSON.Member("entity", .string(names[entity] ?? entity)),
            JSON.Member("id", .string("\(change.reference.id)")),
            JSON.Member("version", .integer(change.version)), JSON.Member("kind", .string(change.kind.rawValue)),
        ])
    }

    private static func text(_ members: [JSON.Member]) -> String {
        String(decoding: JSON.object(members).bytes(), as: UTF8.self)
    }
}
