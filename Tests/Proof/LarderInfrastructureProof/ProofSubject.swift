import LarderData
import LarderDomain

@testable import LarderInfrastructure
@testable import LarderInfrastructureTests

/// The store under proof: the real one, or a defective one.
struct ProofSubject: Sendable {
    var name = "the store"
    /// The file system between a process and its disk; each process gets a new one.
    var fileSystem: @Sendable (SimulatedFileSystem) -> any FileSystem = { $0 }
    var open: @Sendable (LogOpening, LogPlace) throws(PersistencyError) -> LogEngine = {
        (opening, place) throws(PersistencyError) in try opening.open(place)
    }
    /// The salt of a log, derived from the correct one.
    var salt: @Sendable (UInt64) -> UInt64 = { $0 }
}

/// Opens logs of a subject with the schemas of a run.
struct ProofBench: Sendable {
    static let folder = "/db"
    /// Small, so that workloads exceed it.
    private static let compactionFloor = 200

    let subject: ProofSubject
    private let sets: [SchemaSet]

    init(_ subject: ProofSubject = ProofSubject()) throws {
        self.subject = subject
        sets = try ProofSchemas.sets()
    }

    /// Opens a log as a new process.
    func open(
        _ disk: SimulatedFileSystem, declared schema: Int, salt: @escaping @Sendable () -> UInt64
    ) throws(PersistencyError) -> LogEngine {
        let change = subject.salt
        // Short records, so that groups and logs have several.
        let opening = LogOpening(
            schemas: sets[schema], recordBytes: 300, salt: { change(salt()) }, compactionFloor: Self.compactionFloor,
            now: { Timestamp(microseconds: 0) })
        return try subject.open(opening, LogPlace(Self.folder, subject.fileSystem(disk)))
    }

    /// Opens a log after the given number of losses of power. The salt depends only on that number, so that equal disks
    /// remain equal.
    func open(
        _ disk: SimulatedFileSystem, declared schema: Int, afterLosses losses: Int
    ) throws(PersistencyError) -> LogEngine {
        try open(disk, declared: schema, salt: Self.salt(afterLosses: losses))
    }

    static func salt(afterLosses losses: Int) -> @Sendable () -> UInt64 {
        let salt = 0xC0FFEE + UInt64(losses)
        return { salt }
    }
}

/// A violation of the store's guarantees.
struct ProofViolation: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// The allowed contents after a loss of power: one of these states.
struct ProofPromise: Sendable {
    let models: [ProofModel]
    /// The schema at opening.
    let schema: Int
    let digests: Set<Int>

    init(_ models: [ProofModel], declared schema: Int) {
        self.models = models
        self.schema = schema
        digests = Set(models.map { $0.digest(declared: schema) })
    }

    func model(_ digest: Int) -> ProofModel? { models.first { $0.digest(declared: schema) == digest } }
}
