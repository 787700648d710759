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
        let deliverAndDelete = { @Sendable (event: Event, manager: any PersistencyManager) async throws in
            try await handler(event)
            do { try await manager.delete(event.id) } catch PersistencyError.notFound(_) {
                // A process that has lost its lease has delivered it, too.
            }
        }
        deliver = { id, manager in
            // Without it, the event was delivered before.
            guard let event = try await manager.read(EntityID<Event>(id)) else { return }
            try await deliverAndDelete(event.entity, manager)
        }
        deliverAll = { manager in
            // A failure holds up the later events, so that they do not arrive before the one that has failed.
            for try await event in manager.stream(Query<Event>()) { try await deliverAndDelete(event.entity, manager) }
        }
    }
}
