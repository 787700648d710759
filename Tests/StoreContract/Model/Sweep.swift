#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import LarderDomain

/// An update by query, and its equivalent in plain Swift.
struct Sweep: Sendable {
    let name: String
    /// Updates with a manager. Returns the number of changed entities.
    let update: @Sendable (any PersistencyManager) async throws(PersistencyError) -> Int
    /// The item after the update, the same if it does not change.
    let changed: @Sendable (Item) -> Item
    /// The field of an item with a value that the mapping does not permit.
    let invalidField: @Sendable (Item) -> String?

    private init<E: Entity>(
        _ name: String, _ predicate: Predicate<E>? = nil, _ update: @escaping @Sendable (inout BulkUpdate<E>) -> Void,
        _ change: @escaping @Sendable (inout E) -> Void,
        invalidField: @escaping @Sendable (Item) -> String? = { _ in nil }
    ) {
        self.name = name
        self.update = { (manager) async throws(PersistencyError) in
            try await manager.update(matching: Query(predicate), update)
        }
        changed = { item in
            guard var entity = item.entity as? E else { return item }
            change(&entity)
            return Item(entity) ?? item
        }
        self.invalidField = invalidField
    }

    static let all: [Sweep] = [
        Sweep("the shelves of the hall go to the attic", #Predicate<Shelf> { $0.room == "hall" }) {
            $0.set(\.room, to: "attic")
        } _: {
            if $0.room == "hall" { $0.room = "attic" }
        },
        Sweep("all shelves have the label A") {
            $0.set(\Shelf.label, to: "A")
        } _: {
            $0.label = "A"
        },
        Sweep("100 is added to low counters", #Predicate<Counter> { $0.count < 200 }) {
            $0.add(\.count, 100)
        } _: {
            if $0.count < 200 { $0.count += 100 }
        },
        Sweep("200 is taken from all counters") {
            $0.add(\Counter.count, -200)
        } _: {
            $0.count -= 200
        } invalidField: { item in
            if case .counter(let counter) = item, counter.count < 200 { "count" } else { nil }
        },
        Sweep("an author writes the books of few pages", #Predicate<Book> { ($0.pages ?? 0) < 100 }) {
            $0.set(\.author, to: writer)
        } _: {
            if ($0.pages ?? 0) < 100 { $0.author = writer }
        },
        Sweep("all books are out of print, without an author") {
            $0.set(\Book.inPrint, to: false)
            $0.set(\Book.author, to: nil)
        } _: {
            ($0.inPrint, $0.author) = (false, nil)
        },
    ]

    private static var writer: EntityID<Author> { EntityID(ItemKey(.author, 1).rawID) }
}
