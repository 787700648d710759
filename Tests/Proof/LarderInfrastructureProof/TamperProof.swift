import LarderData
import LarderDomain

@testable import LarderInfrastructure
@testable import LarderInfrastructureTests

/// Tampered logs: each must be refused with the offset of the damage, or contain exactly the commits.
struct TamperProof {
    /// The required result of opening.
    enum Expectation {
        /// `unavailable`, with the offset of the record.
        case damaged(Int)
        case incompatible
        /// A state, by its digest.
        case shows(Int)
    }

    let bench: ProofBench
    /// One byte in this number is changed.
    let step: Int
    /// The number of logs tested.
    private(set) var count = 0

    init(_ bench: ProofBench, step: Int = 1) {
        (self.bench, self.step) = (bench, step)
    }

    /// Runs all tests.
    mutating func run() throws(ProofViolation) {
        for isClosed in [true, false] {
            let log = try TamperedLog(bench, isClosed: isClosed)
            let other = try TamperedLog(bench, isClosed: isClosed, generation: 5)
            guard log.bytes.count == other.bytes.count, log.starts.count >= 6 else {
                throw ProofViolation("a log that was closed is not taken as it is")
            }
            try flip(log)
            try cut(log)
            try rearrange(log, other)
            if isClosed { try changeMarker(log, other) }
        }
        try coverLogs()
        try replaceLog()
    }

    /// The required result for a log with one bad record after good ones.
    private func expected(_ log: TamperedLog, badFrom record: Int, isLast: Bool) -> Expectation {
        let lost = log.starts.count - record
        if log.isClosed || !isLast || lost >= log.models.count { return .damaged(log.starts[record]) }
        return .shows(log.models[lost].digest(declared: 0))
    }

    private mutating func flip(_ log: TamperedLog) throws(ProofViolation) {
        for place in log.bytes.indices where place % step == 0 || log.isInFrame(place) {
            for mask: UInt8 in [0x01, 0x10, 0x80, 0xFF] {
                var bytes = log.bytes
                bytes[place] ^= mask
                let record = log.record(at: place)
                let expected =
                    place < 3
                    ? .incompatible : expected(log, badFrom: record, isLast: record == log.starts.count - 1)
                try judge(log.disk(bytes), expected, "byte \(place) with \(mask)")
            }
        }
    }

    private mutating func cut(_ log: TamperedLog) throws(ProofViolation) {
        for length in stride(from: 0, to: log.bytes.count, by: step) {
            let expected =
                length < 3 ? .incompatible : expected(log, badFrom: log.record(at: length), isLast: true)
            try judge(log.disk(Array(log.bytes.prefix(length))), expected, "cut to \(length)")
        }
    }

    private mutating func rearrange(_ log: TamperedLog, _ other: TamperedLog) throws(ProofViolation) {
        let records = log.starts.indices.map { log.record($0) }
        for first in records.indices {
            let isLast = first == records.count - 1
            var spliced = records
            spliced[first] = other.record(first)
            // With the head of another log, the next record belongs to a different log.
            try judge(
                log.disk(records: spliced), expected(log, badFrom: max(1, first), isLast: isLast),
                "record \(first) of another log")
            var missing = records
            missing.remove(at: first)
            try judge(log.disk(records: missing), expected(log, badFrom: first, isLast: isLast), "no record \(first)")
            var doubled = records
            doubled.insert(records[first], at: first)
            try judge(log.disk(records: doubled), .damaged(log.range(first).upperBound), "record \(first) twice")
            var shifted = log.bytes
            shifted.insert(0, at: log.starts[first])
            try judge(
                log.disk(shifted), first == 0 ? .incompatible : .damaged(log.starts[first]), "a byte before \(first)")
            for second in first + 1..<max(first + 1, records.count) {
                var swapped = records
                swapped.swapAt(first, second)
                try judge(
                    log.disk(records: swapped), .damaged(log.starts[first]), "records \(first) and \(second) swapped")
            }
        }
    }

    private mutating func changeMarker(_ log: TamperedLog, _ other: TamperedLog) throws(ProofViolation) {
        let (marker, end) = (log.disk.files[TamperedLog.marker] ?? [], log.bytes.count)
        let whole = Expectation.shows(log.models[0].digest(declared: 0))
        for place in marker.indices {
            for mask: UInt8 in [0x01, 0x10, 0x80, 0xFF] {
                var bytes = marker
                bytes[place] ^= mask
                try judge(log.disk(bytes, at: TamperedLog.marker), whole, "byte \(place) of the marker with \(mask)")
            }
            try judge(
                log.disk(Array(marker.prefix(place)), at: TamperedLog.marker), whole, "a marker cut to \(place)")
        }
        try judge(log.disk(marker + [0], at: TamperedLog.marker), whole, "a longer marker")
        try judge(
            log.disk(other.disk.files[TamperedLog.marker] ?? [], at: TamperedLog.marker), .damaged(end),
            "the marker of another log")
        try judge(log.disk(other.bytes), .damaged(end), "another log beside the marker")
        try judge(log.disk(log.bytes + [0]), .damaged(end), "a byte more")
        try judge(log.disk(log.bytes + other.record(1)), .damaged(end), "a record more")
    }

    /// Opens a tampered log and checks the result.
    mutating func judge(
        _ disk: SimulatedDisk, _ expected: Expectation, declared schema: Int = 0, _ what: String
    ) throws(ProofViolation) {
        count += 1
        let fileSystem = SimulatedFileSystem(disk)
        let largest = disk.files.values.reduce(64) { max($0, $1.count + 64) }
        defer { fileSystem.killProcess() }
        var found: (engine: LogEngine?, error: PersistencyError?)
        do throws(PersistencyError) {
            found.engine = try bench.open(fileSystem, declared: schema, afterLosses: 1)
        } catch {
            found.error = error
        }
        switch (expected, found.engine, found.error) {
        case (.shows(let digest), let engine?, _):
            if engine.digest(declared: schema) != digest { throw ProofViolation("\(what) is a wrong value") }
        case (.damaged, _?, _), (.incompatible, _?, _): throw ProofViolation("\(what) is not missed")
        case (.damaged(let place), _, let error?) where error.damage == place: break
        case (.incompatible, _, let error?) where error.summary == "incompatible": break
        default: throw ProofViolation("\(what), and opening says: \(found.error.map { "\($0)" } ?? "nothing")")
        }
        guard found.error == nil || fileSystem.disk.contentHash() == disk.contentHash() else {
            throw ProofViolation("\(what) is refused, and something was changed")
        }
        for case .read(_, _, let count) in fileSystem.operations where count > largest {
            throw ProofViolation("\(what) makes it ask for \(count) bytes")
        }
    }
}
