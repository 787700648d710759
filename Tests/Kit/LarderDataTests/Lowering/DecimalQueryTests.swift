#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import LarderDomain
import LarderInfrastructure
import Testing

@testable import LarderData

private struct Offer: Entity {
    let id: EntityID<Offer>
    var price: ExactDecimal = 0
    var fee: ExactDecimal?
    var count: Int32 = 0
    var weight: Float = 0
}

private enum OfferMapper: EntityMapper {
    static let mapping = Mapping<Offer>(
        "offer", id: \.id,
        [
            .decimal("price", \.price, scale: 2), .decimal("fee", \.fee, scale: 3), .column("count", \.count),
            .column("weight", \.weight),
        ])

    static func entity(from row: inout ObjectReader) throws -> Offer {
        try Offer(id: row.id(), price: row.decimal(), fee: row.decimal(), count: row.next(), weight: row.next())
    }
}

/// Predicates of decimals and small numbers that the laws of stores do not ask.
@Suite("Queries of decimals")
struct DecimalQueryTests {
    private let manager: StoreManager

    init() async throws {
        let mappers = try MapperSet([OfferMapper.self])
        manager = StoreManager(MemoryStore(mappers.schemas), mappers: mappers)
        for (number, fee) in [nil, "0.125", "2"].enumerated() {
            let id = EntityID<Offer>(RawID(high: 0, low: UInt64(number + 1)))
            var offer = Offer(id: id, fee: fee.flatMap { ExactDecimal($0) }, count: Int32(number))
            offer.price = ExactDecimal(units: Int64(number), scale: 0)
            try await manager.create(offer)
        }
    }

    private func found(_ predicate: Predicate<Offer>) async throws -> [UInt64] {
        try await manager.read(Query(predicate)).items.map(\.id.rawValue.low)
    }

    private func reason(_ predicate: Predicate<Offer>) -> String? {
        do {
            _ = try ReadRequest(Query(predicate), OfferMapper.mapping)
            return nil
        } catch .unsupportedQuery(let reason) {
            return reason
        } catch {
            return "another error: \(error)"
        }
    }

    @Test func `a missing decimal is compared as other values`() async throws {
        let limit = try #require(ExactDecimal("0.1250"))
        let (none, some): (ExactDecimal?, ExactDecimal?) = (nil, limit)
        #expect(try await found(#Predicate { $0.fee == none }) == [1])
        #expect(try await found(#Predicate { $0.fee != nil && $0.fee == some }) == [2])
        #expect(try await found(#Predicate { $0.fee.flatMap { $0 > limit } ?? true }) == [1, 3])
        #expect(try await found(#Predicate { ($0.fee ?? 2) == 2 }) == [1, 3])
        let (list, fine) = ([none, 2, ExactDecimal("0.0001")], ExactDecimal("0.12500001"))
        #expect(try await found(#Predicate { list.contains($0.fee) }) == [1, 3])
        #expect(try await found(#Predicate { $0.fee != fine }) == [1, 2, 3])
    }

    @Test func `captured decimals are compared and calculated without a store`() async throws {
        let (one, half) = (ExactDecimal(1), try #require(ExactDecimal("0.50")))
        #expect(try await found(#Predicate { _ in one > half && half + half == one && half * 2 <= one }) == [1, 2, 3])
        #expect(try await found(#Predicate { one > half ? $0.price == one : false }) == [2])
        let range = half...one
        #expect(try await found(#Predicate { range.contains($0.price) && range.contains(half) }) == [2])
        #expect(try await found(#Predicate { -$0.price < -half }) == [2, 3])
    }

    @Test func `decimals of different scales are refused, and multiplied`() async throws {
        #expect(reason(#Predicate { $0.price == $0.fee ?? 0 })?.contains("2 and 3 digits after the point") == true)
        let fine = try #require(ExactDecimal("0.0001"))
        #expect(reason(#Predicate { $0.price + fine > 0 })?.contains("2 and 4 digits") == true)
        #expect(
            reason(#Predicate { $0.price * $0.price * ($0.fee ?? 0) * ($0.fee ?? 0) > 0 })?.contains("10 digits")
                == true)
        #expect(try await found(#Predicate { $0.price * ($0.fee ?? 1) == 4 }) == [3])
        let product = #Predicate<Offer> { ($0.fee ?? 0) * ($0.fee ?? 0) * ($0.fee ?? 0) == 8 }
        #expect(try await found(product) == [3], "a product with nine digits after the point")
    }

    @Test func `arithmetic of small numbers, which would overflow or round earlier, is refused`() {
        #expect(reason(#Predicate { $0.count + 1 > 2 })?.contains("arithmetic of Int32") == true)
        #expect(reason(#Predicate { $0.weight * 2 > 1 })?.contains("arithmetic of Float") == true)
        #expect(reason(#Predicate { -$0.weight > 1 })?.contains("arithmetic of Float") == true)
    }

    @Test func `a text finds a decimal`() async throws {
        let both = Query(Offer.predicate(column: "price", equals: "1.0")).and(
            Offer.predicate(column: "fee", equals: "0.125"))
        #expect(try await manager.read(both).items.map(\.id.rawValue.low) == [2])
        for (text, words) in [("1.005", "at most 2 digits after the point"), ("much", "must be a number, not 'much'")] {
            let error = await persistencyError {
                _ = try await manager.read(Query(Offer.predicate(column: "price", equals: text)))
            }
            #expect("\(String(describing: error))".contains(words))
        }
    }
}
