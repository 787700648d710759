internal import LarderData
internal import LarderDomain

/// The roots that differ between a store and its copy.
struct MissedChanges {
    private struct Difference {
        let stored: RootExpectation?
        let new: StorageObject?
    }

    /// The last commit of the store that is included.
    private(set) var token: ChangeToken
    /// The ids of the included commits.
    private(set) var commits: [CommitID] = []
    private var roots: [String: [RawID: Difference]] = [:]
    private var byteCount = 0

    init(after token: ChangeToken) { self.token = token }

    /// The number of roots.
    var count: Int { roots.values.reduce(0) { $0 + $1.count } }

    func ids(of schema: EntitySchema) -> some Sequence<RawID> { (roots[schema.name] ?? [:]).keys }

    mutating func note(_ round: CatchUp.Round) {
        token = round.token
        commits += round.commits
    }

    /// Notes a root as it is in the copy and in the store; `nil` if they are equal.
    ///
    /// - Throws: `unavailable` (`tooLarge`) if there are more differences than one commit may contain.
    mutating func note(
        _ key: EntityKey, _ difference: (old: StorageObject?, new: StorageObject?)?
    ) throws(PersistencyError) {
        byteCount -= roots[key.schema.name]?[key.id]?.new?.byteCount() ?? 0
        guard let (old, new) = difference else {
            roots[key.schema.name]?[key.id] = nil
            return
        }
        let stored = old.map { RootExpectation(key, version: $0.version, owner: $0.owner) }
        roots[key.schema.name, default: [:]][key.id] = Difference(stored: stored, new: new)
        byteCount += new?.byteCount() ?? 0
        guard byteCount > ChangeSet.byteLimit else { return }
        try ChangeSet(inserts: roots.values.flatMap { $0.values.compactMap(\.new) }).checkSize()
    }

    /// The change set that makes the copy equal, at the versions of the store.
    func changes(_ schemas: SchemaSet) -> ChangeSet {
        var changes = ChangeSet()
        changes.keepsVersions = true
        for schema in schemas.roots {
            for (_, difference) in (roots[schema.name] ?? [:]).sorted(by: { $0.key < $1.key }) {
                if let stored = difference.stored { changes.deletes.append(stored) }
                if let new = difference.new { changes.inserts.append(new) }
            }
        }
        return changes
    }
}

/// A kind of reference to a deleted root, without repetitions.
struct Removal: Hashable {
    let entity: String
    let path: [String]
    let target: RawID

    init(_ removal: RemovedReference) {
        (entity, path, target) = (removal.entity, removal.path, removal.target.id)
    }
}
