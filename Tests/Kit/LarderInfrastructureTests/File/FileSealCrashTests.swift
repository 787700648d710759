import LarderData
import LarderDomain
import Testing

@testable import LarderInfrastructure

/// Kills, losses of power, and errors at every call of a change of a log's passphrase.
struct FileSealCrashTests {
    private let bench: LogBench
    private let tags = (1...3).map { Sample.tag($0, "tag \($0)") }

    init() throws {
        bench = LogBench(try Sample.schemas())
    }

    /// A disk with a closed log, or one whose process was killed.
    private func disk(_ sealing: FileStore.Sealing?, isClosed: Bool) throws -> SimulatedDisk {
        let fileSystem = SimulatedFileSystem(LogBench.disk)
        var engine = try bench.open(fileSystem, sealing: sealing)
        for tag in tags { try engine.insert(tag) }
        if isClosed { engine.close() }
        return fileSystem.disk
    }

    private func change(
        _ fileSystem: SimulatedFileSystem, from old: FileStore.Sealing?, to new: FileStore.Sealing?
    ) throws(PersistencyError) {
        let seal = try new.map { sealing throws(PersistencyError) in try LogSeal(sealing) }
        try LogPlace(LogBench.folder, fileSystem).changeSeal(from: old, to: seal, salt: 7)
    }

    /// Whether the log opens with this passphrase. Then it must have all its content.
    private func opens(_ disk: SimulatedDisk, _ sealing: FileStore.Sealing?) throws -> Bool {
        do {
            let roots = try bench.open(SimulatedFileSystem(disk), sealing: sealing).roots(Sample.tag)
            #expect(roots.count == tags.count && tags.allSatisfy(roots.contains))
            return true
        } catch {
            guard case .unavailable(let trouble) = error, trouble.cause is PassphraseError else { throw error }
            return false
        }
    }

    private static let passphrases: [(old: String?, new: String?)] = [("one", "two"), (nil, "two"), ("one", nil)]

    @Test(arguments: passphrases, [true, false])
    func `the log has the old or the new passphrase after a kill, a loss of power or an error at every call`(
        texts: (old: String?, new: String?), isClosed: Bool
    ) throws {
        let old = try texts.old.map { try FileStore.Sealing.fake($0) }
        let new = try texts.new.map { try FileStore.Sealing.fake($0) }
        let before = try disk(old, isClosed: isClosed)
        let fileSystem = SimulatedFileSystem(before, keepsHistory: true)
        try change(fileSystem, from: old, to: new)
        var (olds, news) = (0, 0)
        for call in 0...fileSystem.operationCount {
            let disk = fileSystem.disk(after: call)
            for disk in [disk] + images(disk) {
                let isNew = try opens(disk, new)
                #expect(try opens(disk, old) != isNew)
                if isNew { news += 1 } else { olds += 1 }
            }
        }
        #expect(olds > 10 && news > 1)
        for disk in images(fileSystem.disk) { #expect(try opens(disk, new)) }

        for call in 0..<fileSystem.operationCount {
            let fileSystem = SimulatedFileSystem(before)
            fileSystem.inject { number, _ in number == call ? .error(5) : nil }
            let isDone = refusal { () throws(PersistencyError) in try change(fileSystem, from: old, to: new) } == nil
            fileSystem.inject(nil)
            fileSystem.killProcess()
            let isNew = try opens(fileSystem.disk, new)
            #expect(try opens(fileSystem.disk, old) != isNew)
            if isDone { #expect(isNew) }
            if !isNew { try change(fileSystem, from: old, to: new) }
            #expect(try opens(fileSystem.disk, new))
        }
    }

    /// Disks after a loss of power: all, or the first ones of many.
    private func images(_ disk: SimulatedDisk) -> [SimulatedDisk] {
        let images = CrashImages(disk)
        return (0..<min(images.count, 20)).map { images[$0] }
    }
}
