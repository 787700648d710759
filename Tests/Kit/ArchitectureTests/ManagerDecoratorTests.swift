import LarderArchitecture
import Testing

/// Requirements of the port for managers that a decorator forwards or a guard omits would bypass them silently.
@Suite("Decorators of managers")
struct ManagerDecoratorTests {
    /// The requirements that consist of others: a decorator inherits the default, which calls the decorator's members. The
    /// default of the last one refuses.
    private static let composed: Set = [
        "func read<E: Entity>(_ id: EntityID<E>) async throws(PersistencyError) -> Stored<E>?",
        "func create<E: Entity>(contentsOf entities: [E]) async throws(PersistencyError) -> [Stored<E>]",
        "func change<E: Entity>(_ id: EntityID<E>, _ body: (inout E) throws -> Void) async throws -> Saved<E>",
        "func delete<E: Entity>(matching query: Query<E>) async throws(PersistencyError) -> Int",
        "func update<E: Entity>(matching query: Query<E>, _ update: BulkUpdate<E>) async throws(PersistencyError) -> Int",
    ]
    /// The requirements that tell nothing about entities, and the transaction, whose manager is guarded, too.
    private static let harmless: Set = [
        "var isInTransaction: Bool",
        "func outcome(of id: CommitID) async throws(PersistencyError) -> CommitOutcome",
        "func transaction<Result>(_ body: (any PersistencyManager) async throws -> Result) async throws -> Result",
    ]

    private let port, defaults, decorator, guarded: Set<String>

    init() async throws {
        let tree = try await Workspace.tree.value
        func members(_ path: String) throws -> Set<String> {
            Self.members(of: try #require(tree.files.first { $0.path == "Domain/Kit/" + path }).code)
        }
        let file = try #require(tree.files.first { $0.path == "Domain/Kit/Ports/PersistencyManager.swift" }).code
        let parts = file.split(separator: "\nextension PersistencyManager {", maxSplits: 1)
        port = Self.members(of: String(parts[0]))
        var defaults = Self.members(of: String(parts[1]))
        for part in ["Batches", "Bulk", "Change"] {
            defaults.formUnion(try members("Ports/PersistencyManager+\(part).swift"))
        }
        self.defaults = defaults
        decorator = try members("Ports/ManagerDecorator.swift")
        guarded = try members("Access/GuardedManager.swift").union(try members("Access/GuardedManager+Bulk.swift"))
    }

    @Test func `forward every requirement that does not consist of others, which have a default`() {
        #expect(port.count > 12)
        #expect(port.subtracting(decorator) == Self.composed)
        #expect(Self.composed.isSubset(of: defaults))
    }

    @Test func `a guard overrides what is forwarded, except what is harmless`() {
        #expect(decorator.intersection(port).subtracting(guarded) == Self.harmless)
    }

    /// The signatures of members, on one line each.
    private static func members(of code: String) -> Set<String> {
        let text = code.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            .replacing("( ", with: "(").replacing(" )", with: ")")
        // A signature ends before a body, the next attribute, or the next member.
        let pattern = /(?:func|var) [a-zA-Z]+.*?(?= \{| @| public | func | var | \}|$)/
        return Set(text.matches(of: pattern).map { String($0.output) })
    }
}
