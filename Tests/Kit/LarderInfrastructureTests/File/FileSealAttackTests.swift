import LarderData
import LarderDomain
import Testing

@testable import LarderInfrastructure

/// Sealed logs that were changed by an attacker who knows the format, but not the passphrase.
struct FileSealAttackTests {
    /// A cipher that omits a check.
    private struct CarelessCipher: Cipher {
        let base: any Cipher
        let overhead: Int

        func seal(_ bytes: [UInt8], boundTo context: [UInt8]) throws(CipherError) -> [UInt8] {
            try base.seal(bytes, boundTo: [])
        }

        func open(_ sealed: [UInt8], boundTo context: [UInt8]) throws(CipherError) -> [UInt8] {
            try base.open(sealed, boundTo: [])
        }

        func hash(_ bytes: [UInt8], boundTo context: [UInt8]) -> [UInt8] { base.hash(bytes, boundTo: context) }
    }

    private struct CarelessDerivation: KeyDerivation {
        func newParameters() -> [UInt8] { FakeDerivation().newParameters() }

        func cipher(for passphrase: Passphrase, _ parameters: [UInt8]) throws(CipherError) -> any Cipher {
            let base = try FakeDerivation().cipher(for: passphrase, parameters)
            return CarelessCipher(base: base, overhead: base.overhead)
        }
    }

    private let opening: LogOpening

    init() throws {
        var opening = LogBench(try Sample.schemas()).opening
        // Several records of roots.
        opening.recordBytes = 40
        self.opening = opening
    }

    private func open(
        _ fileSystem: SimulatedFileSystem, _ sealing: FileStore.Sealing?
    ) throws(PersistencyError) -> LogEngine {
        try opening.open(
            LogPlace(LogBench.folder, fileSystem),
            .init(LogBench.folder, busyTimeout: .zero, journal: nil, sealing: sealing))
    }

    /// A log with a snapshot and commits after it.
    private func log(_ sealing: FileStore.Sealing?, on fileSystem: SimulatedFileSystem) throws -> [AttackedRecord] {
        var engine = try open(fileSystem, sealing)
        if engine.state.sequence == 0 {
            for number in 1...4 { try engine.insert(Sample.tag(number, "first \(number)")) }
        }
        try engine.compact()
        for _ in 1...4 { try engine.insert(Sample.tag(Int(engine.state.sequence) + 1, "tag \(engine.state.sequence)")) }
        fileSystem.killProcess()
        return [AttackedRecord](fileSystem.disk.files[LogBench.log] ?? [])
    }

    /// The attacks that opening the log does not detect.
    private func undetected(_ derivation: any KeyDerivation) throws -> (names: [String], count: Int) {
        let sealing = FileStore.Sealing(try Passphrase("correct horse"), derivation)
        let fileSystem = SimulatedFileSystem(LogBench.disk)
        let attacks = SealedLogAttacks(
            log: try log(sealing, on: fileSystem), sibling: try log(sealing, on: fileSystem),
            stranger: try log(.fake("battery staple"), on: SimulatedFileSystem(LogBench.disk)),
            plain: try log(nil, on: SimulatedFileSystem(LogBench.disk)))
        func disk(_ records: [AttackedRecord]) -> SimulatedDisk {
            var disk = LogBench.disk
            disk.place(.file(0), at: LogBench.log, bytes: records.bytes)
            return disk
        }
        // The log itself is intact.
        #expect(try open(SimulatedFileSystem(disk(attacks.log)), sealing).roots(Sample.tag).count == 8)
        var names: [String] = []
        for (name, records) in attacks.all {
            let changed = SimulatedFileSystem(disk(records))
            let before = changed.disk.files
            do throws(PersistencyError) {
                _ = try open(changed, sealing)
                names.append(name)
            } catch {
                #expect(error.damage != nil || error.passphraseError != nil, "\(name): \(error)")
                #expect(changed.disk.files == before, "\(name) is refused, and something was changed")
            }
        }
        return (names, attacks.all.count)
    }

    @Test func `every change of a sealed log is detected, and nothing is written`() throws {
        let (names, count) = try undetected(FakeDerivation())
        #expect(names.isEmpty)
        #expect(count >= 100, "\(count)")
    }

    @Test func `records that are not bound to their places could be exchanged`() throws {
        let (names, _) = try undetected(CarelessDerivation())
        #expect(names.contains { $0.contains("exchanged") } && names.contains { $0.contains("sibling") }, "\(names)")
    }

    @Test func `records of the same number and log are bound to the records before them`() throws {
        var seal = try LogSeal(.fake("correct horse"))
        _ = seal.start(salt: 1)
        func record(_ text: String) -> ValueWriter {
            var writer = ValueWriter.record
            writer.append(text)
            return writer
        }
        let (before, other) = (seal, seal)
        var (written, rewritten) = (before, other)
        _ = try written.seal(record("one"), .commits, number: 1, salt: 1)
        _ = try rewritten.seal(record("another one"), .commits, number: 1, salt: 1)
        let second = try written.seal(record("two"), .commits, number: 2, salt: 1)
        let frame = RecordFrame(kind: .commits, length: second.count, number: 2, salt: 1)
        #expect(throws: CipherError.self) {
            try rewritten.open(ValueReader(Array(second.content)), frame)
        }
    }

    @Test func `an unknown derivation is refused, and its parameters are limited by the record`() throws {
        let fileSystem = SimulatedFileSystem(LogBench.disk)
        let sealing = try FileStore.Sealing.fake("correct horse")
        var records = try log(sealing, on: fileSystem)
        // After the format and the number of parameters.
        records[0].content[5] = 9
        var disk = LogBench.disk
        disk.place(.file(0), at: LogBench.log, bytes: records.bytes)
        let text =
            "\(String(describing: #expect(throws: PersistencyError.self) { _ = try open(SimulatedFileSystem(disk), sealing) }))"
        #expect(text.contains("the derivation 9 is unknown"))
    }
}
