public import LarderData
internal import LarderDomain

/// Verifies a whole store: the mapping of every object, derived columns, uniqueness, references, and the store's own
/// check.
///
/// Verification can run during commits: apparent problems caused by reading at different times are read again.
public struct StoreVerifier {
    /// The progress of a verification.
    public struct Progress: Sendable, Hashable {
        /// The current part: the name of a schema, or of the store's own check.
        public let part: String
        /// The number of objects read.
        public let done: Int
        /// The total number, if known.
        public let total: Int?
    }

    private let store: any Store
    private let progress: (Progress) throws -> Void
    private let report: (StoreProblem) throws -> Void
    /// The number of roots read.
    private var count = 0
    private var found: Set<EntityKey> = []
    /// One referrer of each referenced root.
    private var referrers: [EntityKey: EntityKey] = [:]
    private var holders: [ObjectVerification.UniqueValues: EntityKey] = [:]

    private init(
        _ store: any Store, progress: @escaping (Progress) throws -> Void,
        report: @escaping (StoreProblem) throws -> Void
    ) {
        (self.store, self.progress, self.report) = (store, progress, report)
    }

    /// - Parameters:
    ///   - store: The store.
    ///   - progress: Called at least once for each page.
    ///   - report: Called immediately for each problem.
    /// - Returns: The number of roots read, without owned objects.
    /// - Throws: `unavailable` when the store cannot be read at all, `cancelled`, and errors of the closures.
    /// - Complexity: O(*n*) in time; about 100 bytes of memory for each root and each of its unique values.
    public static func verify(
        _ store: any Store, progress: @escaping (Progress) throws -> Void,
        report: @escaping (StoreProblem) throws -> Void
    ) async throws -> Int {
        var verifier = StoreVerifier(store, progress: progress, report: report)
        try await verifier.verify()
        return verifier.count
    }

    private mutating func verify() async throws {
        if let store = store.feature((any SelfCheckingStore).self) {
            try progress(Progress(part: "structure", done: 0, total: nil))
            for text in try await store.integrityProblems() { try report(StoreProblem(text: text)) }
        }
        for schema in store.schemas.roots {
            do {
                try await verify(schema)
            } catch let error as PersistencyError {
                // The rest of this schema follows a row that cannot be read; other schemas may be intact.
                switch error {
                case .cancelled: throw error
                default: try report(StoreProblem(text: "\(schema.name): \(error)"))
                }
            }
        }
        try await verifyReferences()
    }

    private mutating func verify(_ schema: EntitySchema) async throws {
        let (name, schemas) = (schema.name, store.schemas)
        // Photos may have megabytes each.
        var request = ReadRequest(schema, limit: schema.ownsBlobs ? 4 : 256, includesTotal: true)
        var done = 0
        try progress(Progress(part: name, done: 0, total: nil))
        while true {
            let page = try await store.read(request) { object throws(PersistencyError) in
                ObjectVerification(object, in: schemas)
            }
            for object in page.items { try await note(object, schema) }
            done += page.items.count
            count += page.items.count
            try progress(Progress(part: name, done: done, total: page.total))
            guard let next = page.next else { return }
            request.after = next
        }
    }

    private mutating func note(_ object: ObjectVerification, _ schema: EntitySchema) async throws {
        let key = EntityKey(schema, object.id)
        for text in object.problems { try report(StoreProblem(text: text, reference: key.reference)) }
        if !store.schemas.references(to: schema).isEmpty { found.insert(key) }
        for target in object.targets { referrers[target] = key }
        for values in object.uniques {
            guard let other = holders.updateValue(key, forKey: values), other != key else { continue }
            let both = try await store.read([key.id, other.id], of: schema)
            guard both.count == 2, both.allSatisfy({ ObjectVerification.uniques(of: $0).contains(values) }) else {
                continue
            }
            let columns = schema.uniques[values.group].map { schema.columns[$0].name }.joined(separator: ", ")
            let text = "has the same \(columns) as \(other.id), which must be unique"
            try report(StoreProblem(text: text, reference: key.reference))
        }
    }

    private func verifyReferences() async throws {
        try progress(Progress(part: "references", done: 0, total: referrers.count))
        for (target, referrer) in referrers where !found.contains(target) {
            // The root may have been stored, or the reference removed, in the meantime.
            guard try await store.read(target.id, of: target.schema) == nil,
                let object = try await store.read(referrer.id, of: referrer.schema),
                ObjectVerification(object, in: store.schemas).targets.contains(target)
            else { continue }
            let text = "refers to \(target.reference), which does not exist"
            try report(StoreProblem(text: text, reference: referrer.reference))
        }
        try progress(Progress(part: "references", done: referrers.count, total: referrers.count))
    }
}
