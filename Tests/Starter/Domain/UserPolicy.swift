public import LarderDomain

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The permissions on users: users see themselves, operators see, add and delete all.
public struct UserPolicy: AccessPolicy {
    private let caller: User?

    /// Creates the policy of a caller; `nil` is an anonymous one.
    public init(_ caller: User?) {
        self.caller = caller
    }

    private var isOperator: Bool { caller?.isOperator ?? false }

    public var visible: [Predicate<User>] {
        if isOperator { return [] }
        guard let id = caller?.id else { return [Self.nothing] }
        return [#Predicate { $0.id == id }]
    }
    public func mayRead(_ user: User) -> Bool { isOperator || user.id == caller?.id }
    public var mayCreateSome: Bool { isOperator }
    public var mayUpdateSome: Bool { isOperator }
    public func mayCreate(_ user: User) -> Bool { isOperator }
    public func mayUpdate(_ old: User, to new: User) -> Bool { isOperator }
    public func mayDelete(_ user: User) -> Bool { isOperator }
}
