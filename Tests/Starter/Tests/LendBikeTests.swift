import LarderData
import LarderDomain
import LarderTesting
import LoansData
import LoansDomain
import Testing

/// The use case, on each store of the kit.
struct LendBikeTests {
    private let ids = CountingIDs()

    @Test(arguments: StoreKind.allCases)
    func `a bike is lent once, and not at all if a write fails`(kind: StoreKind) async throws {
        let mappers = try MapperSet([BikeMapper.self, UserMapper.self])
        try await kind.withStore(mappers.schemas) { store in
            let faults = WriteFaults()
            let manager = faults.manager(over: StoreManager(faults.store(over: store), mappers: mappers))
            let bike = try await manager.create(Bike(id: ids.next(), name: "Emma")).entity
            let ann = try await manager.create(User(id: ids.next(), name: "Ann")).entity

            let report = try await faults.report {
                try await manager.read(Query<Bike>()).items
            } of: {
                _ = try await LendBike(manager).execute(bike.id, to: ann.id)
            }
            #expect(report.findings == [])
            #expect(report.writes == 1)
            #expect(try await Bikes(manager).borrowed(by: ann.id).map(\.id) == [bike.id])
            await #expect(throws: BikeIsLent(name: "Emma")) {
                try await LendBike(manager).execute(bike.id, to: ann.id)
            }
        }
    }
}
