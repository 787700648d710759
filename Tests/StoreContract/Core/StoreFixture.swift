public import LarderData

/// How the contract gets at stores of one kind.
///
/// ```swift
/// let fixture = StoreFixture("memory") { schemas, _ in MemoryStore(schemas) }
/// let verdicts = await StoreContract.judge(fixture)
/// ```
public struct StoreFixture: Sendable {
    /// The kind of store, as a report names it.
    public let name: String
    /// How many objects the laws about many objects use: as many as ``RunSize/current`` unless it is set.
    public var size = RunSize.current
    let open: @Sendable (SchemaSet, _ scratch: String) async throws -> any Store
    let copy: (@Sendable (_ scratch: String, _ other: String) async throws -> Void)?
    let discard: @Sendable (_ scratch: String) async -> Void

    /// Describes a kind of store.
    ///
    /// - Parameters:
    ///   - name: The kind of store, as a report names it.
    ///   - open: Opens the store with a scratch name, which is made of letters, digits and hyphens: an empty one if
    ///     there was none. A durable store is opened again under its name, after it was closed, to see what it kept.
    ///   - copy: Copies what has been written under one scratch name to another, while the store is open and idle: what a
    ///     process that is killed at this moment leaves. A copy that fails, because the store renames a file in the
    ///     background, is discarded and made again. A store that is durable breaks laws without it.
    ///   - discard: Removes whatever a store left behind, when its law has been judged.
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
