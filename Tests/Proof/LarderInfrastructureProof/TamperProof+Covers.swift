import LarderData
import LarderDomain

@testable import LarderInfrastructure
@testable import LarderInfrastructureTests

extension TamperProof {
    /// Objects whose value is a complete log: another log, and this log itself.
    mutating func coverLogs() throws(ProofViolation) {
        let (fileSystem, other) = (SimulatedFileSystem(), try TamperedLog(bench, isClosed: true))
        var (digests, unclosed) = ([Int](), fileSystem.disk)
        do throws(PersistencyError) {
            var engine = try bench.open(fileSystem, declared: ProofSchemas.covers, afterLosses: 3)
            for (number, bytes) in [other.bytes, [], []].enumerated() {
                let value = number == 0 ? bytes : fileSystem.disk.files[TamperedLog.log] ?? []
                try engine.insert(
                    StorageObject(schema: Sample.cover, id: Sample.id(number), values: [.blob(value), .text("log")]))
                digests.insert(engine.digest(declared: ProofSchemas.covers), at: 0)
            }
            unclosed = fileSystem.disk
            engine.close()
        } catch {
            throw ProofViolation("a log cannot be kept as a value: \(error)")
        }
        let bytes = unclosed.files[TamperedLog.log] ?? []
        let starts = TamperedLog.starts(of: bytes)
        for (place, byte) in bytes.enumerated() where place > 2 && place % (step * 7) == 0 {
            guard let record = starts.lastIndex(where: { $0 <= place }) else { continue }
            var (closed, open) = (fileSystem.disk, unclosed)
            var changed = bytes
            changed[place] = byte ^ 0x5A
            closed.place(.file(0), at: TamperedLog.log, bytes: changed)
            try judge(closed, .damaged(starts[record]), declared: ProofSchemas.covers, "byte \(place) of a log of logs")
            open.place(.file(0), at: TamperedLog.log, bytes: changed)
            let isLast = record == starts.count - 1
            try judge(
                open, isLast ? .shows(digests[1]) : .damaged(starts[record]), declared: ProofSchemas.covers,
                "byte \(place) of a log of logs that was not closed")
            guard isLast else { continue }
            open.place(.file(0), at: TamperedLog.log, bytes: Array(bytes.prefix(place)))
            try judge(open, .shows(digests[1]), declared: ProofSchemas.covers, "a log of logs cut to \(place)")
        }
    }

    /// Replaces the log with something that is not a log.
    mutating func replaceLog() throws(ProofViolation) {
        func disk(_ entry: SimulatedDisk.Entry, _ bytes: [UInt8] = []) -> SimulatedDisk {
            var disk = LogBench.disk
            disk.place(entry, at: TamperedLog.log, bytes: bytes)
            return disk
        }
        try judge(disk(.folder), .incompatible, "a folder in the log's place")
        try judge(disk(.other), .incompatible, "a link or a pipe in the log's place")
        try judge(disk(.file(0)), .incompatible, "an empty file in the log's place")
        try judge(disk(.file(0), Array("a text\n".utf8)), .incompatible, "a text in the log's place")
        try judge(disk(.file(0), [UInt8](repeating: 0, count: 4096)), .incompatible, "zeros in the log's place")
        try judge(disk(.file(0), Array("Lrd".utf8)), .damaged(0), "three bytes in the log's place")
        for format: UInt32 in [UInt32(LogSeal.format) + 1, 256, .max] {
            var newer = ValueWriter.record
            newer.append(fixed: format)
            newer.append(fixed: UInt64(1))
            let bytes = newer.record(.head, number: 0, salt: 1)
            try judge(disk(.file(0), bytes), .incompatible, "a log of format \(format)")
        }
    }
}
