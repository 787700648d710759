#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import LarderDomain

extension Trial {
    /// Fails the law unless a predicate finds exactly the books that a Swift filter finds, in ascending order of ids.
    func expectFound(
        _ what: String, _ predicate: Predicate<Book>, in shop: Bookshop, where filter: (Book) -> Bool
    ) async throws {
        let page = try await manager.read(Query(predicate, includesTotal: true))
        let expected = shop.books.filter(filter)
        try expect("what \(what) finds", page.entities.map(\.title), is: expected.map(\.title))
        try expect("what \(what) finds, in full", page.entities, is: expected)
        try expect("the total of \(what)", page.total, is: expected.count)
    }
}

extension String {
    /// Whether the text contains another text's bytes: a naive search, the reference for optimized searches.
    func hasBytes(of part: String) -> Bool {
        let (bytes, part) = (Array(utf8), Array(part.utf8))
        guard part.count <= bytes.count else { return false }
        return (0...(bytes.count - part.count)).contains { Array(bytes[$0..<($0 + part.count)]) == part }
    }

    /// Whether the text precedes another one in byte order.
    func isBelow(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}
