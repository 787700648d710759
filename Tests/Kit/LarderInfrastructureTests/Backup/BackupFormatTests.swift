import LarderData
import LarderDomain
import Testing

@testable import LarderInfrastructure

/// The bytes of a backup, and the refusal of all others.
struct BackupFormatTests {
    @Test(
        arguments: [
            ("", "e3b0c442 98fc1c14 9afbf4c8 996fb924 27ae41e4 649b934c a495991b 7852b855"),
            ("abc", "ba7816bf 8f01cfea 414140de 5dae2223 b00361a3 96177a9c b410ff61 f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61 d20638b8 e5c02693 0c3e6039 a33ce459 64ff2167 f6ecedd4 19db06c1"
            ),
        ])
    func `SHA-256 of FIPS 180-4`(text: String, expected: String) {
        let digest = SHA256.digest(Array(text.utf8)[...])
        #expect(digest == expected.split(separator: " ").compactMap { UInt32($0, radix: 16) })
    }

    @Test func `SHA-256 of all lengths around a block has the right padding`() {
        // A digest of digests, computed with Python's hashlib.
        var all: [UInt8] = []
        for count in 0...130 {
            for word in SHA256.digest([UInt8](repeating: 0x61, count: count)[...]) { all.append(bigEndian: word) }
        }
        #expect(SHA256.digest(all[...]).first == 0xf908a43f)
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
