import LarderData
import LarderDomain
import Testing

@testable import LarderInfrastructure

/// The bytes of a backup, and the refusal of all others.
struct BackupFormatTests {
    @Test(
        arguments: [
            ("", 0), ("abc", 0xec7e_50ea_ee14_af22_bacf_d6c8_6049_5737),
            ("abcdefgh", 0x7ed1_bfd5_2409_d37a_423b_1ea3_5c95_b2ff),
            ("abcdefghi", 0x3d8a_79c1_a22b_ac60_3155_d26f_aad1_718e),
        ] as [(String, UInt128)])
    func `the checksum of a root is that of the documentation`(text: String, expected: UInt128) {
        // Computed by Tests/Proof/Shared/backupfile.py.
        #expect(UInt128(checksum: Array(text.utf8)[...]) == expected)
    }

    @Test func `checksums of all lengths around a word have the right padding`() {
        let sums = (0...130).map { length in UInt128(checksum: (0..<length).map { UInt8(0x61 + $0 % 26) }[...]) }
        #expect(sums.reduce(0, &+) == 0x09c0_d437_ac35_aaa5_d74f_cad7_8237_9100)
    }

    @Test func `a digest changes when one bit changes, and when two roots exchange a value`() {
        func digest(_ roots: [UInt8]...) -> UInt128 { roots.reduce(0) { $0 &+ UInt128(checksum: $1[...]) } }
        for length in 9...40 {
            var (first, second) = ([UInt8](repeating: 7, count: length), [UInt8](repeating: 7, count: length))
            second[0] = 8
            for place in 1..<length {
                let before = digest(first, second)
                first[place] ^= 1
                let between = digest(first, second)
                (first[place], second[place]) = (second[place], first[place])
                #expect(Set([before, between, digest(first, second)]).count == 3)
                first[place] = 7
                second[place] = 7
            }
        }
    }

    /// A backup of a few roots, and its records.
    private func backup(_ bench: BackupBench) async throws -> [UInt8] {
        let store = MemoryStore(try Sample.schemas())
        try await BackupBench.fill(store)
        _ = try await Backup.write(store, to: bench.path("b"))
        return try bench.bytes("b")
    }

    @Test func `a backup has a head, roots and an end`() async throws {
        let bench = try BackupBench()
        let bytes = try await backup(bench)
        let kinds = bytes.records.map { String(UnicodeScalar($0[3])) }
        #expect(kinds == ["H", "R", "B"] && Array(bytes.records.joined()) == bytes)
        let backup = try await Backup.verify(bench.path("b"))
        #expect(backup.entities.map(\.entity) == ["tag", "cover", "book", "shelf"])
        #expect(backup.entities.map(\.count) == [2, 1, 29, 1] && backup.token.position == 34)
        #expect(backup.size == bytes.count && backup.schemaVersion == 1)
    }

    @Test func `every truncated file, and every file with more bytes, is refused`() async throws {
        let bench = try BackupBench()
        let bytes = try await backup(bench)
        for length in stride(from: 0, to: bytes.count, by: 97) {
            try bench.write(Array(bytes.prefix(length)), "cut")
            #expect(await refusal { _ = try await Backup.verify(bench.path("cut")) } != nil)
        }
        try bench.write(bytes + [0], "cut")
        #expect(await refusal { _ = try await Backup.verify(bench.path("cut")) } != nil)
    }

    @Test func `other files are refused by name`() async throws {
        let bench = try BackupBench()
        func answer(_ name: String) async throws -> String {
            try #require(await refusal { _ = try await Backup.verify(bench.path(name)) })
        }
        try bench.write(Array("SQLite format 3".utf8), "text")
        #expect(try await answer("text").hasSuffix("text is not a backup: its first bytes differ"))
        try bench.write([], "empty")
        #expect(try await answer("empty").hasSuffix("is not a backup: its first bytes differ"))
        let store = try await bench.open(.file, "db")
        try await BackupBench.fill(store)
        await store.close()
        #expect(try await answer("db/larder.log").hasSuffix("is the log of a file store, not a backup"))
        #expect(try await answer("missing").contains("No such file"))
        #expect(try await answer("db").contains("open"))
        var newer = try await backup(bench)
        newer.replaceSubrange(28..<32, with: [0, 0, 1, 0])
        try bench.write(newer.sealed(), "newer")
        #expect(try await answer("newer").contains("of format 256, which is newer than"))
    }

    @Test func `intact records in another order, twice, or from another backup are refused`() async throws {
        let bench = try BackupBench()
        let store = MemoryStore(try Sample.schemas())
        try await BackupBench.fill(store)
        let codec = LogCodec(try Sample.schemas(), recordBytes: 300)
        func records(_ salt: UInt64) async throws -> [[UInt8]] {
            let draft = BackupDraft(bench.path("b"), replacing: true, POSIXFileSystem(), salt: salt)
            let state = try store.withState { (state) throws(PersistencyError) in state }
            _ = try draft.write(StoreSnapshot(state, codec))
            return try bench.bytes("b").records
        }
        let (first, second) = (try await records(1), try await records(2))
        #expect(first.count > 10)
        var swapped = first
        swapped.swapAt(3, 4)
        let variants = [
            swapped, first.filter { $0 != first[3] }, Array(first[...3] + first[3...]),
            Array(first[...3] + second[4...]),
            Array(first.dropFirst()), Array(first.dropLast()), first + [first[first.count - 1]],
        ]
        for variant in variants {
            for renumbers in [false, true] {
                var records = variant
                if renumbers {
                    for index in records.indices { records[index] = records[index].sealed(number: UInt64(index)) }
                }
                try bench.write(Array(records.joined()), "variant")
                #expect(await refusal { _ = try await Backup.verify(bench.path("variant")) } != nil)
            }
        }
    }
}
