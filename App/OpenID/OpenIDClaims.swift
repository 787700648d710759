public import LarderApp

/// The claims of a valid token.
public struct OpenIDClaims: Sendable {
    /// The issuer: `iss`.
    public let issuer: String
    /// The issuer's id of the user: `sub`. The issuer never gives it to another user; a name or e-mail it may.
    public let subject: String
    /// All claims.
    public let json: JSON

    /// The issuer and the subject: unique among the users of all issuers, for ``LarderHTTP/ServiceCaller/key``.
    public var key: String { "\(issuer) \(subject)" }

    /// The value at a path of names: `value("address", "country")`; `nil` if there is none.
    public func value(_ path: String...) -> JSON? { value(path) }

    /// The texts at a path of names, such as roles: `texts("realm_access", "roles")`. A text is a list of one; there are
    /// none at a path without texts.
    public func texts(_ path: String...) -> Set<String> { Set(value(path)?.texts ?? []) }

    private func value(_ path: [String]) -> JSON? { path.reduce(json as JSON?) { $0?[$1] } }
}

extension JSON {
    var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The texts of a list, or of the only one.
    var texts: [String] {
        if case .array(let items) = self { items.compactMap(\.text) } else { text.map { [$0] } ?? [] }
    }
}
