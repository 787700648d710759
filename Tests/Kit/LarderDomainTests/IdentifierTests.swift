#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import LarderDomain
import Synchronization
import Testing

@Suite("Ids are unique, ordered by time, and typed")
struct IdentifierTests {
    private struct Cat: Entity {
        let id: EntityID<Cat>
    }

    @Test func `an id is written as RFC 9562 has it and read back in any form`() throws {
        let text = "0190f3a2-7c4e-7d1b-8a5f-3e2d1c0b9a87"
        let id = try #require(EntityID<Cat>(text))
        #expect("\(id)" == text)
        #expect(EntityID<Cat>(text.uppercased()) == id)
        #expect(RawID(text.filter { $0 != "-" }) == id.rawValue)
        #expect(id.rawValue.high == 0x0190_f3a2_7c4e_7d1b && id.rawValue.low == 0x8a5f_3e2d_1c0b_9a87)
    }

    @Test func `an id is written and read as Foundation does it`() {
        for _ in 0..<1000 {
            let uuid = UUID()
            #expect(RawID(uuid.uuidString)?.description == uuid.uuidString.lowercased())
        }
    }

    @Test(
        arguments: [
            "", "0190", "0190f3a2-7c4e-7d1b-8a5f-3e2d1c0b9a8g", "0190f3a2-7c4e-7d1b-8a5f-3e2d1c0b9a877",
            "0190f3a2-7c4e-7d1b-8a5f-3e2d1c0b9a 7", "0190f3a27c4e7d1b8a5f3e2d1c0b9a+7",
            "019f03a1-7c4e-7d1b-8a5f-ba98370b5f-7", "0190f3a27-c4e-7d1b-8a5f-3e2d1c0b9a87",
            "0190f3a2-7c4e-7d1b-8a5f03e2d1c0b9a87",
        ])
    func `another text is no id`(_ text: String) {
        #expect(RawID(text) == nil)
        #expect(EntityID<Cat>(text) == nil)
    }

    @Test(arguments: ["0190f3a2-7c4e-7d1b-8a5f-3e2d1c0b9a87", "0190F3A27C4E7D1B8A5F3E2D1C0B9A87"])
    func `each place of an id permits the digits, or the hyphen`(_ text: String) {
        for place in text.utf8.indices {
            let before = text.utf8[place]
            let (start, end) = (String(text[..<place]), String(text[text.utf8.index(after: place)...]))
            for byte in UInt8(0)...0x7F {
                let scalar = Unicode.Scalar(byte)
                let id = RawID(start + String(scalar) + end)
                let isPermitted = before == UInt8(ascii: "-") ? scalar == "-" : scalar.properties.isASCIIHexDigit
                #expect((id != nil) == isPermitted, "\(scalar) at \(place)")
            }
        }
    }

    @Test func `version and variant are those of UUIDv7, and the time is first`() {
        let ids = UUIDv7Generator(now: { Timestamp(microseconds: 1_700_000_000_123_456) }, random: { .max })
        let id: RawID = ids.next()
        #expect(id.high >> 16 == 1_700_000_000_123)
        #expect(id.high >> 12 & 0xF == 7)
        #expect(id.low >> 62 == 0b10)
    }

    @Test func `an id of version 7 states when it was made, and no other does`() throws {
        let ids = UUIDv7Generator(now: { Timestamp(microseconds: 1_700_000_000_123_456) })
        let id: RawID = ids.next()
        #expect(id.creationTime == Timestamp(microseconds: 1_700_000_000_123_000))
        #expect(try #require(RawID("ffffffff-ffff-7fff-bfff-ffffffffffff")).creationTime != nil)
        for other in ["0190f3a2-7c4e-4d1b-8a5f-3e2d1c0b9a87", "0190f3a2-7c4e-7d1b-0a5f-3e2d1c0b9a87"] {
            #expect(try #require(RawID(other)).creationTime == nil)
        }
    }

    @Test func `ids rise in one millisecond, over a full counter, and when the clock steps back`() {
        let time = Mutex<Int64>(5_000_000)
        let ids = UUIDv7Generator(now: { Timestamp(microseconds: time.withLock { $0 }) }, random: { 0 })
        var made: [RawID] = []
        for round in 0..<3 {
            for _ in 0..<5000 { made.append(ids.next()) }
            time.withLock { $0 -= Int64(round) * 1_000_000 }
        }
        #expect(zip(made, made.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test func `8 tasks never make the same id`() async {
        let ids = UUIDv7Generator()
        let made = await withTaskGroup(of: [EntityID<Cat>].self) { group in
            for _ in 0..<8 { group.addTask { (0..<1000).map { _ in ids.next() } } }
            return await group.reduce(into: Set()) { $0.formUnion($1) }
        }
        #expect(made.count == 8000)
    }

    @Test func `an entity's name is its type's in lower case with underscores`() {
        struct CookingSession: Entity {
            let id: EntityID<CookingSession>
        }
        #expect(CookingSession.entityName == "cooking_session")
        #expect(Cat.entityName == "cat")
    }

    @Test func `ids and days are coded as the text they are written as`() throws {
        let id = EntityID<Cat>(RawID(high: 1, low: 2))
        let day = try #require(CalendarDay("2024-02-29"))
        let data = try JSONEncoder().encode([id])
        #expect(String(decoding: data, as: UTF8.self) == "[\"00000000-0000-0001-0000-000000000002\"]")
        #expect(try JSONDecoder().decode([EntityID<Cat>].self, from: data) == [id])
        #expect(try JSONDecoder().decode([CalendarDay].self, from: JSONEncoder().encode([day])) == [day])
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([RawID].self, from: Data("[\"x\"]".utf8)) }
    }
}
