internal import LarderData
internal import LarderDomain

/// A question whose answer is a list: a query of a manager, or a request of a store.
protocol Listing: Sendable {
    associatedtype Source: Sendable
    associatedtype Item: Equatable & Sendable
    associatedtype Position: Sendable

    var limit: Int? { get set }
    var after: Position? { get set }
    var includesTotal: Bool { get set }

    func page(of source: Source) async throws -> (items: [Item], next: Position?, total: Int?)
    static func id(of item: Item) -> RawID
}

extension Query: Listing {
    func page(of manager: any PersistencyManager) async throws -> (items: [Stored<E>], next: Cursor?, total: Int?) {
        let page = try await manager.read(self)
        return (page.items, page.next, page.total)
    }

    static func id(of item: Stored<E>) -> RawID { item.id.rawValue }
}

extension ReadRequest: Listing {
    func page(of store: any Store) async throws -> (items: [StorageObject], next: Place?, total: Int?) {
        let page = try await store.read(self)
        return (page.items, page.next, page.total)
    }

    static func id(of item: StorageObject) -> RawID { item.id }
}

extension Listing {
    /// The list, on one page. Fails the law unless the total, which a store may count, is its length.
    func list(_ source: Source) async throws -> [Item] {
        var whole = self
        (whole.limit, whole.after, whole.includesTotal) = (nil, nil, true)
        let page = try await whole.page(of: source)
        try expect("the total", page.total, is: page.items.count)
        return page.items
    }

    /// Fails the law unless each page is its part of the list, and has the total.
    func expectPages(_ size: Int, of list: [Item], _ source: Source) async throws {
        var (rest, seen) = (self, 0)
        (rest.limit, rest.after) = (size, nil)
        repeat {
            let page = try await rest.page(of: source)
            try expect("the page from \(seen)", page.items, is: Array(list[seen...].prefix(size)))
            seen += page.items.count
            try expect("the presence of a page from \(seen)", page.next != nil, is: seen < list.count)
            try expect("the total", page.total, is: includesTotal ? list.count : nil)
            rest.after = page.next
        } while rest.after != nil
    }

    /// Fails the law unless each item of the list is in exactly one of the parts, in the order of the list.
    static func expectPartition(_ parts: [Self], of list: [Item], _ source: Source) async throws {
        var counts: [RawID: Int] = [:]
        for (number, part) in parts.enumerated() {
            let items = try await part.list(source)
            let ids = Set(items.map(id))
            try expect("part \(number)", items, is: list.filter { ids.contains(id(of: $0)) })
            for id in ids { counts[id, default: 0] += 1 }
        }
        for id in list.map(id) {
            try expect(counts[id] == 1, "\(id) is in \(counts[id] ?? 0) of \(parts.count) parts")
        }
    }
}
