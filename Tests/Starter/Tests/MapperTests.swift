import LarderDomain
import LarderTesting
import LoansData
import LoansDomain
import Testing

/// A mapper that exchanges two members compiles.
struct MapperTests {
    private let ids = CountingIDs()

    @Test func `mappers keep all members`() throws {
        let bike = try Bike(id: ids.next(), name: "Emma", borrower: ids.next())
        #expect(try BikeMapper.unkeptMembers(of: bike) == [])
        let user = try User(id: ids.next(), name: "Ann", isOperator: true)
        #expect(try UserMapper.unkeptMembers(of: user) == [])
    }
}
