public import LarderData

/// The contract's access to the stores of one kind.
///
/// ```swift
/// let fixture = StoreFixture("memory") { schemas, _ in MemoryStore(schemas) }
/// let verdicts = await StoreContract.judge(fixture)
/// ```
public struct StoreFixture: Sendable {
    /// The kind of store, as reports name it.
    public let name: String
    /// The number of objects in laws about many objects: by default, it depends on ``RunSize/current``.
    public var size = RunSize.current
    let open: @Sendable (SchemaSet, _ scratch: String) async throws -> any Store
    let copy: (@Sendable (_ scratch: String, _ other: String) async throws -> Void)?
    let discard: @Sendable (_ scratch: String) async -> Void

    /// Describes a kind of store.
    ///
    /// - Parameters:
    ///   - name: The kind of store, as reports name it.
    ///   - open: Opens the store with a scratch name, which consists of letters, digits, and hyphens. A new name opens
    ///     an empty store. The contract reopens a durable store under its name after closing it, to check its contents.
    ///   - copy: Copies the data under one scratch name to another, while the store is open and idle: the state that a
    ///     killed process leaves. If a copy fails because the store renames a file in the background, it is discarded
    ///     and repeated. A durable store without this parameter breaks laws.
    ///   - discard: Removes everything that a store left behind, after the verdict on its law.
    public init(
        _ name: String, open: @escaping @Sendable (SchemaSet, _ scratch: String) async throws -> any Store,
        copy: (@Sendable (_ scratch: String, _ other: String) async throws -> Void)? = nil,
        discard: @escaping @Sendable (_ scratch: String) async -> Void = { _ in }
    ) {
        self.name = name
        self.open = open
        self.copy = copy
        self.discard = discard
    }
}

extension StoreFixture: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}
