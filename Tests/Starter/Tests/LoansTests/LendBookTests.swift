import LarderData
import LarderDomain
import LarderTesting
import LoansData
import LoansDomain
import Testing

/// The use case, on each store of the kit.
struct LendBookTests {
    private let ids = CountingIDs()

    @Test(arguments: StoreKind.allCases)
    func `a book is lent once, and not at all if a write fails`(kind: StoreKind) async throws {
        let mappers = try MapperSet([BookMapper.self, MemberMapper.self])
        try await kind.withStore(mappers.schemas) { store in
            let faults = WriteFaults()
            let manager = faults.manager(over: StoreManager(faults.store(over: store), mappers: mappers))
            let book = try await manager.create(Book(id: ids.next(), title: "Emma")).entity
            let ann = try await manager.create(Member(id: ids.next(), name: "Ann")).entity

            let report = try await faults.report {
                try await manager.read(Query<Book>()).items
            } of: {
                _ = try await LendBook(manager).execute(book.id, to: ann.id)
            }
            #expect(report.findings == [])
            #expect(report.writes == 1)
            await #expect(throws: AlreadyLent(title: "Emma")) {
                try await LendBook(manager).execute(book.id, to: ann.id)
            }
        }
    }
}
