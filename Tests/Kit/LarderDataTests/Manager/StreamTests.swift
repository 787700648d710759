import LarderData
import LarderDomain
import LarderInfrastructure
import Synchronization
import Testing

/// Notes the sizes of the pages that are read.
private struct NotingManager: ManagerDecorator {
    final class Sizes: Sendable {
        private let sizes = Mutex<[Int]>([])
        var all: [Int] { sizes.withLock(\.self) }
        func note(_ size: Int) { sizes.withLock { $0.append(size) } }
    }

    let base: any PersistencyManager
    let sizes: Sizes

    func decorating(_ manager: any PersistencyManager) -> any PersistencyManager {
        NotingManager(base: manager, sizes: sizes)
    }

    func read<E: Entity>(_ query: Query<E>) async throws(PersistencyError) -> QueryPage<E> {
        let page = try await base.read(query)
        sizes.note(page.items.count)
        return page
    }
}

@Suite("A stream")
struct StreamTests {
    @Test func `has pages of at most a mebibyte and the entity that exceeds it`() async throws {
        let fixture = try Fixture()
        let logo = [UInt8](repeating: 7, count: 300_000)
        for number in 1...10 as ClosedRange<UInt64> { try await fixture.manager.create(Shop(number, logo: logo)) }
        let sizes = NotingManager.Sizes()
        var found: [UInt64] = []
        for try await shop in NotingManager(base: fixture.manager, sizes: sizes).stream(Query<Shop>()) {
            found.append(shop.id.rawValue.low)
        }
        #expect(found == Array(1...10))
        #expect(sizes.all == [4, 4, 2])
    }
}
