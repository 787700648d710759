// Names that a domain is likely to have. `Sources/App/Names.swift` uses them where the kit's products are imported too, so a
// public type of the kit with one of these names is ambiguous there and does not compile.

/// A type of the domain.
public struct Account: Sendable {
    /// Creates one.
    public init() {}
}

/// A type of the domain.
public struct Address: Sendable {
    /// Creates one.
    public init() {}
}

/// A type of the domain.
public struct Category: Sendable {
    /// Creates one.
    public init() {}
}

/// A type of the domain.
public struct Change: Sendable {
    /// Creates one.
    public init() {}
}

/// A type of the domain.
public struct Contract: Sendable {
    /// Creates one.
    public init() {}
}

/// A type of the domain.
public struct Customer: Sendable {
    /// Creates one.
    public init() {}
}

/// A type of the domain.
public struct Event: Sendable {
    /// Creates one.
    public init() {}
}

/// A type of the domain.
public struct Invoice: Sendable {
    /// Creates one.
    public init() {}
}

/// A type of the domain.
public struct Item: Sendable {
    /// Creates one.
    public init() {}
}

/// A type of the domain.
public struct Loan: Sendable {
    /// Creates one.
    public init() {}
}

/// A type of the domain.
public struct Location: Sendable {
    /// Creates one.
    public init() {}
}

/// A type of the domain.
public struct Member: Sendable {
    /// Creates one.
    public init() {}
}

/// A type of the domain.
public struct Message: Sendable {
    /// Creates one.
    public init() {}
}

/// A type of the domain.
public struct Order: Sendable {
    /// Creates one.
    public init() {}
}

/// A type of the domain.
public struct Page: Sendable {
    /// Creates one.
    public init() {}
}

/// A type of the domain.
public struct Payment: Sendable {
    /// Creates one.
    public init() {}
}

/// A type of the domain.
public struct Product: Sendable {
    /// Creates one.
    public init() {}
}

/// A type of the domain.
public struct Role: Sendable {
    /// Creates one.
    public init() {}
}

/// A type of the domain.
public struct Session: Sendable {
    /// Creates one.
    public init() {}
}

/// A type of the domain.
public struct Status: Sendable {
    /// Creates one.
    public init() {}
}

/// A type of the domain.
public struct Token: Sendable {
    /// Creates one.
    public init() {}
}

/// A type of the domain.
public struct User: Sendable {
    /// Creates one.
    public init() {}
}
