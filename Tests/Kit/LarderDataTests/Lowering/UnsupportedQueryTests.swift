#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import LarderDomain
import Testing

@testable import LarderData

@Suite("A query that cannot be answered exactly is refused, naming its part")
struct UnsupportedQueryTests {
    private func reason(_ predicate: Predicate<Shop>) -> String? {
        do {
            _ = try ReadRequest(Query(predicate), ShopMapper.mapping)
            return nil
        } catch .unsupportedQuery(let reason) {
            return reason
        } catch {
            return "another error: \(error)"
        }
    }

    @Test func `a property that is not stored`() throws {
        #expect(try #require(reason(#Predicate { $0.foldedName.count == 3 })).contains("supports only isEmpty"))
        #expect(try #require(reason(#Predicate { $0.opened.microseconds == 3 })).contains("microseconds"))
    }

    @Test func `a closure over owned objects that refers to the object outside`() throws {
        let refused = reason(#Predicate { shop in shop.shelves.contains { $0.label == shop.name } })
        #expect(try #require(refused).contains("outside"))
    }

    @Test func `arithmetic within optional chaining`() throws {
        #expect(try #require(reason(#Predicate { $0.staff.flatMap { $0 + 1 } == 4 })).contains("??"))
    }

    @Test func `a text of the entity looked for in a captured one`() throws {
        #expect(try #require(reason(#Predicate { "abc".contains($0.name) })).contains("captured text"))
        #expect(try #require(reason(#Predicate { "abc".starts(with: $0.name) })).contains("captured text"))
    }

    @Test func `a choice between values`() throws {
        #expect(try #require(reason(#Predicate { ($0.isOpen ? 1 : 2) > 1 })).contains("Conditional"))
    }

    @Test func `a captured value that no column holds`() throws {
        let text = "a\u{0}b"
        #expect(try #require(reason(#Predicate { $0.name == text })).contains("U+0000"))
        let number = Double.nan
        #expect(try #require(reason(#Predicate { $0.rent == number })).contains("finite"))
        let byte: UInt8 = 3
        #expect(try #require(reason(#Predicate { _ in byte == byte })).contains("UInt8"))
    }

    @Test func `members of links, and collections that are none`() throws {
        let regular = LoweringTests.regular
        #expect(reason(#Predicate { $0.regulars.contains { $0 == regular && $0 != regular } }) != nil)
        #expect(reason(#Predicate { $0.regulars.contains { !($0 == regular) } }) != nil)
        #expect(reason(#Predicate { $0.regulars.allSatisfy { $0 == regular } }) != nil)
        #expect(reason(#Predicate { $0.regulars == [regular] }) != nil)
    }

    @Test func `a sort or a count without a column, and a page of none`() async throws {
        let fixture = try Fixture()
        let byMicroseconds = Query<Shop>(sort: [Sort(\.opened.microseconds)])
        let sortError = await persistencyError { _ = try await fixture.manager.read(byMicroseconds) }
        #expect("\(try #require(sortError))".contains("unsupported query"))
        let pageError = await persistencyError { _ = try await fixture.manager.read(Query<Shop>(limit: 0)) }
        #expect("\(try #require(pageError))".contains("page of 0"))
        let countError = await persistencyError {
            _ = try await fixture.manager.counts(Query<Shop>(), by: .value(\.opened.microseconds))
        }
        #expect("\(try #require(countError))".contains("count by"))
    }
}
