internal import HTTPTypes
public import Hummingbird

/// The preconditions of a request (RFC 9110, section 13).
public struct Preconditions: Sendable {
    private enum Tags {
        case any
        case these([Substring])

        /// Compares with the tag of an existing representation. Only `If-None-Match` uses weak comparison, which
        /// ignores the `W/` prefix.
        func matches(_ tag: EntityTag, isWeak: Bool) -> Bool {
            switch self {
            case .any: true
            case .these(let tags):
                tags.contains { (isWeak && $0.hasPrefix("W/") ? $0.dropFirst(2) : $0) == tag.text }
            }
        }
    }

    private let match: Tags?
    private let noneMatch: Tags?

    /// Parses the header fields of a request.
    public init(_ request: Request) {
        match = request.headers.value(.ifMatch).map(Self.tags)
        noneMatch = request.headers.value(.ifNoneMatch).map(Self.tags)
    }

    /// Whether the change applies to any current version: `If-Match: *`.
    public var takeAnything: Bool {
        if case .any? = match { true } else { false }
    }

    /// Evaluates the preconditions of a read, in the order of RFC 9110, section 13.2.2.
    ///
    /// - Returns: Whether the client has the current representation; the response is then 304 without a body.
    /// - Throws: `Problem` with 412 if `If-Match` names only other representations.
    public func isNotModified(_ tag: EntityTag) throws(Problem) -> Bool {
        if let match, !match.matches(tag, isWeak: false) { throw Self.failed(current: tag) }
        return noneMatch?.matches(tag, isWeak: true) ?? false
    }

    /// Evaluates the preconditions of a change of an existing representation, in the order of RFC 9110, section 13.2.2.
    ///
    /// - Throws: `Problem` with 412 and the current tag if a condition is false, 428 without `If-Match`.
    public func requireMatch(_ tag: EntityTag) throws(Problem) {
        if let match, !match.matches(tag, isWeak: false) { throw Self.failed(current: tag) }
        if let noneMatch, noneMatch.matches(tag, isWeak: true) { throw Self.failed(current: tag) }
        guard match != nil else {
            throw Problem(
                .preconditionRequired, "Send If-Match with the ETag of the version that the change is based on.",
                headers: [.eTag: tag.text])
        }
    }

    /// Evaluates the preconditions of a change that replaces the representation with a tag, or creates the first one.
    ///
    /// - Throws: `Problem` with 412 if a condition is false, 428 without `If-Match` for an existing representation, and
    ///   without `If-None-Match: *` for the first one.
    public func requireMatch(_ tag: EntityTag?) throws(Problem) {
        if let tag { return try requireMatch(tag) }
        guard match == nil else { throw Self.failed(current: nil) }
        switch noneMatch {
        case .any?: return
        case .these?: throw Self.failed(current: nil)
        case nil: throw Problem(.preconditionRequired, "The object does not exist; send If-None-Match: * to create it.")
        }
    }

    /// The problem of a change that is based on an older version.
    public static func failed(current tag: EntityTag?) -> Problem {
        Problem(
            .preconditionFailed, "The object has changed; read it again and repeat the change.",
            headers: tag.map { [.eTag: $0.text] } ?? [:])
    }

    private static func tags(_ field: String) -> Tags {
        func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        let parts = field.utf8.split(separator: UInt8(ascii: ",")).map { part in
            Substring(part.drop(while: isBlank).prefix { !isBlank($0) })
        }
        return parts == ["*"] ? .any : .these(parts)
    }
}
