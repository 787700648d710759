// Key paths to parts of a property's value, composed of key paths whose types are not known statically.

extension AnyKeyPath {
    /// The key path to a part of this property; `nil` if the part is not one of the property's type.
    ///
    /// The part of an optional property is one of its value: such a path is not an optional chain, which only a literal
    /// can create.
    package func joined(_ part: AnyKeyPath) -> (any AnyKeyPath & Sendable)? {
        let path =
            if type(of: part).rootType == Self.valueType { appending(path: part) } else {
                (Self.valueType as? any OptionalProperty.Type)?.path(to: part).flatMap { appending(path: $0) }
            }
        // Key paths to properties are immutable and safe to share; the type of a composed one does not declare it.
        return path.map { unsafe unsafeBitCast($0, to: (any AnyKeyPath & Sendable).self) }
    }
}

extension KeyPath {
    /// The key path to a part of this property, which is optional.
    func part<Wrapped>(_ part: AnyKeyPath) -> any PartialKeyPath<Root> & Sendable where Value == Wrapped? {
        // Sendable as above.
        unsafe unsafeBitCast(
            appending(path: \Wrapped?.[part: part]) as PartialKeyPath, to: (any PartialKeyPath<Root> & Sendable).self)
    }
}

private protocol OptionalProperty {
    static func path(to part: AnyKeyPath) -> AnyKeyPath?
}

extension Optional: OptionalProperty {
    fileprivate static func path(to part: AnyKeyPath) -> AnyKeyPath? {
        type(of: part).rootType == Wrapped.self ? \Self.[part: part] : nil
    }

    fileprivate subscript(part part: AnyKeyPath) -> Any? { self.flatMap { ($0 as Any)[keyPath: part] } }
}
