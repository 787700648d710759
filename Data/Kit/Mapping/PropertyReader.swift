/// Reads one property of an entity.
///
/// A stored property lies at a fixed place, which `MemoryLayout.offset(of:)` tells once; reading it from there is what a
/// key path does in the end, without the walk along it, which for each column costs more than storing its value.
@usableFromInline
struct PropertyReader<E, Property>: Sendable {
    @usableFromInline let keyPath: any KeyPath<E, Property> & Sendable
    /// `nil` for a computed property.
    @usableFromInline let offset: Int?

    @inlinable
    init(_ keyPath: any KeyPath<E, Property> & Sendable) {
        self.keyPath = keyPath
        offset = MemoryLayout<E>.offset(of: keyPath)
    }

    @inlinable
    func callAsFunction(_ entity: E) -> Property {
        guard let offset else { return entity[keyPath: keyPath] }
        return unsafe withUnsafePointer(to: entity) { entity in
            unsafe UnsafeRawPointer(entity).load(fromByteOffset: offset, as: Property.self)
        }
    }
}
