import LarderDomain

@testable import LarderInfrastructure

/// A store that is proven: the real one, or one with a mistake.
struct ProofSubject: Sendable {
    var name = "the store"
    /// What stands between a process and its disk; made anew for each process.
    var fileSystem: @Sendable (SimulatedFileSystem) -> any FileSystem = { $0 }
    var open: @Sendable (LogOpening, LogPlace) throws(PersistencyError) -> LogEngine = {
        (opening, place) throws(PersistencyError) in try opening.open(place)
    }
    /// The salt of a log, from the one that it should have.
    var salt: @Sendable (UInt64) -> UInt64 = { $0 }
}

/// Opens logs of a subject, each with what its run declares.
struct ProofBench: Sendable {
    static let folder = "/db"
    /// Small, so that workloads reach it.
    private static let compactionFloor = 200

    let subject: ProofSubject
    private let codecs: [LogCodec]

    init(_ subject: ProofSubject = ProofSubject()) throws {
        self.subject = subject
        codecs = try ProofSchemas.codecs()
    }

    /// Opens as a process of its own does.
    func open(
        _ disk: SimulatedFileSystem, declared schema: Int, salt: @escaping @Sendable () -> UInt64
    ) throws(PersistencyError) -> LogEngine {
        let change = subject.salt
        let opening = LogOpening(
            codec: codecs[schema], salt: { change(salt()) }, compactionFloor: Self.compactionFloor)
        return try subject.open(opening, LogPlace(Self.folder, subject.fileSystem(disk)))
    }

    /// Opens after so many losses of power. The salt is always the same one there, so that what is equal before is equal
    /// afterwards.
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

/// What a store must never do, and did.
struct ProofViolation: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// What a disk must show after a loss of power: one of these states.
struct ProofPromise: Sendable {
    let models: [ProofModel]
    /// What is declared when it is opened.
    let schema: Int
    let digests: Set<Int>

    init(_ models: [ProofModel], declared schema: Int) {
        self.models = models
        self.schema = schema
        digests = Set(models.map { $0.digest(declared: schema) })
    }

    func model(_ digest: Int) -> ProofModel? { models.first { $0.digest(declared: schema) == digest } }
}
