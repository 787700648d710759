public import LarderDomain

extension Follower {
    /// An outbox: delivers events to the outside at least once, and not before the commit that has recorded them.
    ///
    /// An event is an entity that a use case creates in its transaction, and that is deleted when it is delivered:
    ///
    /// ```swift
    /// let outbox = Follower.outbox("mail", [
    ///     Delivery(of: LoanStarted.self) { event in try await mail.send(event) }
    /// ])
    /// ```
    ///
    /// Events are delivered in the order of their commits. The journal is not needed for them: after a gap, and at the first
    /// start, the follower delivers all stored events, by type and id.
    public static func outbox(_ name: String, _ deliveries: [Delivery]) -> Follower {
        let byEntity = Dictionary(deliveries.map { ($0.entity, $0) }) { first, _ in first }
        var follower = Follower.calling(name, changesOf: Array(byEntity.keys)) { changes, manager in
            for entry in changes.entries where entry.kind == .inserted {
                try await byEntity[entry.reference.entity]?.deliver(entry.reference.id, manager)
            }
        }
        follower.restart = .again(atStart: true) { manager in
            for delivery in deliveries { try await delivery.deliverAll(manager) }
        }
        return follower
    }
}

/// The handler of the events of one type, of which an outbox has one.
public struct Delivery: Sendable {
    let entity: String
    let deliver: @Sendable (RawID, any PersistencyManager) async throws -> Void
    let deliverAll: @Sendable (any PersistencyManager) async throws -> Void

    /// - Parameters:
    ///   - type: The type of the events.
    ///   - handler: Delivers an event. Its id is the same each time, so that receivers can ignore a repetition.
    public init<Event: Entity>(of type: Event.Type, _ handler: @escaping @Sendable (Event) async throws -> Void) {
        entity = Event.entityName
        deliver = { id, manager in
            // Without it, the event was delivered before.
            guard let event = try await manager.read(EntityID<Event>(id)) else { return }
            try await handler(event.entity)
            try await manager.delete(event.entity.id)
        }
        deliverAll = { manager in
            var failure: (any Error)?
            for try await event in manager.stream(Query<Event>()) {
                // An event that fails does not hold up the later ones.
                do {
                    try await handler(event.entity)
                    try await manager.delete(event.entity.id)
                } catch {
                    if error.isInterruption { throw error }
                    failure = failure ?? error
                }
            }
            if let failure { throw failure }
        }
    }
}
