public import LarderData

/// A store that stays open when a command closes it.
public final class KeptStore: StoreDecorator {
    public let base: any Store

    /// Decorates a store.
    public init(_ base: any Store) {
        self.base = base
    }

    public func close() async {}
}
