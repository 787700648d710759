import LarderData
import LarderDecorators
import LarderDomain
import LarderInfrastructure
import Testing

@testable import LarderInfrastructureTests

@Suite("The keys of a sealed store")
struct SealingKeysTests {
    private func patient(_ number: UInt64) -> Patient {
        Patient(
            id: EntityID(RawID(high: 1, low: number)), name: "name \(number)", email: "\(number)@example.org",
            visits: [Visit(id: EntityID(RawID(high: 2, low: number)), finding: "finding \(number)")])
    }

    private func refusal(_ body: () async throws -> Void) async -> String? {
        do {
            try await body()
            return nil
        } catch PersistencyError.incompatible(let reason) {
            return reason
        } catch {
            return "another error: \(error)"
        }
    }

    @Test func `a lost key or another key of its name is named when the store is opened`() async throws {
        let clinic = try await Clinic(.fake("k1"))
        let lost = await refusal { _ = try await clinic.copied(.fake("k2")) }
        #expect(lost?.contains("'k1', which is not among the keys") == true)
        for (current, hashes, named) in [("other", "equality", "k1"), ("k1", "other", "equality")] {
            let another = await refusal {
                _ = try await clinic.copied(
                    SealingKeys(
                        current: .init("k1", FakeCipher(key: current)),
                        equality: .init("equality", FakeCipher(key: hashes))))
            }
            #expect(another?.contains("key '\(named)' is not the key of that name") == true)
        }
        let renamed = await refusal {
            _ = try await clinic.copied(
                SealingKeys(
                    current: .init("k1", FakeCipher(key: "k1")), equality: .init("eq", FakeCipher(key: "equality"))))
        }
        #expect(renamed?.contains("hashes by key 'equality'") == true)
        let missing = await refusal {
            _ = try await clinic.copied(SealingKeys(current: .init("k1", FakeCipher(key: "k1"))))
        }
        #expect(missing?.contains("patient.email is sealed with equality") == true)
        _ = try await clinic.copied(.fake("k2", older: ["k1"]))
    }

    @Test func `ids of keys are short, distinct, and without special characters`() async {
        for ids in [[""], ["a b"], ["ä"], [String(repeating: "a", count: 65)], ["a", "a"], ["equality"]] {
            #expect(await refusal { _ = try SealingKeys.fake(ids[0], older: Array(ids.dropFirst())) } != nil)
        }
    }

    @Test func `a rotation replaces all values of older keys while others write, and loses nothing`() async throws {
        let old = try await Clinic(.fake("k1"))
        for number in 1...60 { _ = try await old.manager.create(patient(UInt64(number))) }
        let clinic = try await old.copied(.fake("k2", older: ["k1"]))
        let cache = CachedStore(clinic.store)
        let manager = StoreManager(cache, mappers: try MapperSet(Clinic.mappers))
        async let rotated = SealedStore.rotateKeys(of: cache, pageSize: 7)
        for round in 1...5 {
            for number in stride(from: UInt64(1), through: 60, by: 3) {
                var changed = patient(number)
                changed.name = "changed \(round)"
                _ = try await manager.save(changed)
            }
        }
        #expect(try await (1...60).contains(rotated))
        #expect(try await SealedStore.rotateKeys(of: cache) == 0)

        // The older key is not necessary any more.
        let after = try await clinic.copied(.fake("k2"))
        for number in 1...60 {
            let read = try #require(try await after.manager.read(patient(UInt64(number)).id)).entity
            #expect(read.name == (number % 3 == 1 ? "changed 5" : "name \(number)"))
            #expect(read.visits.map(\.finding) == ["finding \(number)"] && read.email == "\(number)@example.org")
        }
    }

    @Test func `a rotation without values of older keys writes no root`() async throws {
        let clinic = try await Clinic(.fake("k1"))
        _ = try await clinic.manager.create(patient(1))
        #expect(try await SealedStore.rotateKeys(of: clinic.store) == 0)
        #expect(try await clinic.stored.map(\.version) == [1])
        await #expect(throws: PersistencyError.self) { try await SealedStore.rotateKeys(of: clinic.base) }
    }
}
