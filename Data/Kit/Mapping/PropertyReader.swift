/// Reads one property of an entity.
///
/// A stored property has a fixed offset, which `MemoryLayout.offset(of:)` returns. Loading from it avoids the traversal
/// of the key path, which costs more for each column than storing its value.
@usableFromInline struct PropertyReader<E, Property>: Sendable {
    @usableFromInline let keyPath: any KeyPath<E, Property> & Sendable
    /// `nil` for a computed property.
    @usableFromInline let offset: Int?

    @inlinable init(_ keyPath: any KeyPath<E, Property> & Sendable) {
        self.keyPath = keyPath
        offset = MemoryLayout<E>.offset(of: keyPath)
    }

    @inlinable func callAsFunction(_ entity: EntityAddress<E>) -> Property {
        guard let offset else { return unsafe entity.pointer.pointee[keyPath: keyPath] }
        return unsafe (UnsafeRawPointer(entity.pointer) + offset).assumingMemoryBound(to: Property.self).pointee
    }

    /// Lends the address of the property; valid until the body returns.
    @inlinable func lend<Result, Failure>(
        _ entity: EntityAddress<E>, _ body: (EntityAddress<Property>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard let offset else {
            return try EntityAddress.with(unsafe entity.pointer.pointee[keyPath: keyPath], body)
        }
        let address = unsafe (UnsafeRawPointer(entity.pointer) + offset).assumingMemoryBound(to: Property.self)
        return try body(unsafe EntityAddress(pointer: address))
    }
}

/// The address of an entity while it is encoded or compared: an entity would pass through a thunk, and be copied, for
/// each of its columns.
@usableFromInline @safe struct EntityAddress<E> {
    @usableFromInline let pointer: UnsafePointer<E>

    /// Lends the address of an entity; valid until the body returns.
    @inlinable static func with<Result, Failure>(
        _ entity: E, _ body: (EntityAddress) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe withUnsafePointer(to: entity) { (pointer) throws(Failure) in
            try body(unsafe EntityAddress(pointer: pointer))
        }
    }

    @inlinable init(pointer: UnsafePointer<E>) {
        unsafe self.pointer = pointer
    }

    /// Whether the values have the same bytes, and are therefore the same; `false` also if only padding differs.
    @inlinable func hasSameBytes(as other: EntityAddress) -> Bool {
        let size = MemoryLayout<E>.size
        return unsafe UnsafeRawBufferPointer(start: pointer, count: size).equals(
            UnsafeRawBufferPointer(start: other.pointer, count: size))
    }
}
