internal import LarderData
internal import LarderDomain

/// The references that commits have removed from all roots that had them.
struct SpooledRemovals: Sendable {
    /// The removals of each commit that has some, in order.
    private var commits: [(position: Int64, removals: PreparedRemovals)] = []
    /// The indexes of the commits that remove references to a target.
    private var indexes: [EntityReference: [Int]] = [:]
    /// The number of removed references.
    private(set) var count = 0

    /// Adds the removals of the next commit. Returns `false` if the schemas do not have one of the references.
    mutating func add(_ commit: CommittedChanges, _ schemas: SchemaSet) -> Bool {
        if commit.removals.isEmpty { return true }
        var removals: [ReferenceRemoval] = []
        for removal in commit.removals {
            let root = schemas.roots.first { $0.name == removal.entity }
            guard let reference = root?.references.first(where: { $0.names == removal.path }) else { return false }
            removals.append(ReferenceRemoval(of: removal.target.id, from: reference))
        }
        for target in Set(commit.removals.map(\.target)) { indexes[target, default: []].append(commits.count) }
        commits.append((commit.token.position, PreparedRemovals(removals)))
        count += removals.count
        return true
    }

    /// A root without the references that were removed after it was read. No later commit names the root: it would
    /// have been read again. So it has exactly those references, and each commit that removes some raises its version.
    func applied(to root: StorageObject, since position: Int64) -> StorageObject {
        if commits.isEmpty { return root }
        var root = root
        for index in Set(root.outgoingReferences.flatMap { indexes[$0.target] ?? [] }).sorted()
        where commits[index].position > position {
            guard var changed = commits[index].removals.applied(to: root) else { continue }
            changed.version += 1
            root = changed
        }
        return root
    }
}
