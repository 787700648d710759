import LarderDomain

@testable import LarderInfrastructure
@testable import LarderInfrastructureTests

/// A log with roots and commits, to be tampered with, and its contents.
struct TamperedLog {
    static let log = ProofBench.folder + "/larder.log"
    static let marker = ProofBench.folder + "/larder.closed"

    let disk: SimulatedDisk
    let bytes: [UInt8]
    /// The offsets of its records.
    let starts: [Int]
    /// Whether a marker records a clean close.
    let isClosed: Bool
    /// The contents without the given number of last commits.
    let models: [ProofModel]

    /// - Parameter generation: A number that selects the salts.
    init(_ bench: ProofBench, isClosed: Bool, generation: Int = 0) throws(ProofViolation) {
        let steps = ["1=a,2=b", "compact", "3=c", "1=d*60;4=e", "-2"].compactMap(Workload.init).flatMap(\.steps)
        var run = ProofRun(bench, afterLosses: generation)
        var models: [ProofModel] = []
        for step in steps + (isClosed ? [.reopen] : []) {
            try run.perform([step])
            if case .commit = step { models.insert(contentsOf: run.possible, at: 0) }
        }
        disk = run.disk.disk
        bytes = disk.files[Self.log] ?? []
        self.models = models
        self.isClosed = isClosed
        starts = Self.starts(of: bytes)
    }

    static func starts(of bytes: [UInt8]) -> [Int] {
        var (starts, place) = ([Int](), 0)
        while let frame = RecordFrame(bytes, at: place, available: bytes.count - place) {
            starts.append(place)
            place += frame.size
        }
        return starts
    }

    func range(_ record: Int) -> Range<Int> {
        starts[record]..<(record + 1 < starts.count ? starts[record + 1] : bytes.count)
    }

    func record(_ index: Int) -> [UInt8] { Array(bytes[range(index)]) }

    /// The record that contains a byte.
    func record(at place: Int) -> Int { (starts.firstIndex { $0 > place } ?? starts.count) - 1 }

    /// Whether a byte belongs to a record's header.
    func isInFrame(_ place: Int) -> Bool { place < starts[record(at: place)] + RecordFrame.size }

    /// The log with its records reordered or replaced.
    func disk(records: [[UInt8]]) -> SimulatedDisk { disk(Array(records.joined())) }

    func disk(_ bytes: [UInt8]) -> SimulatedDisk { disk(bytes, at: Self.log) }

    func disk(_ bytes: [UInt8], at path: String) -> SimulatedDisk {
        var disk = disk
        disk.place(.file(0), at: path, bytes: bytes)
        return disk
    }
}
