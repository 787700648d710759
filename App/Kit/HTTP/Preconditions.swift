internal import HTTPTypes
public import Hummingbird

/// The conditions that a request puts on what is stored (RFC 9110, section 13).
public struct Preconditions: Sendable {
    private enum Tags {
        case any
        case these([Substring])
    }

    private let match: Tags?
    private let noneMatch: Tags?

    /// Reads the header fields of a request.
    public init(_ request: Request) {
        match = request.headers[.ifMatch].map(Self.tags)
        noneMatch = request.headers[.ifNoneMatch].map(Self.tags)
    }

    /// Whether a change may be based on whatever is there: `If-Match: *`.
    public var takeAnything: Bool {
        if case .any? = match { true } else { false }
    }

    /// Whether the client has the representation with this tag already; then it gets 304 and no body.
    public func isKnown(_ tag: EntityTag) -> Bool {
        switch noneMatch {
        case nil: false
        case .any: true
        // Weak comparison: the mark of a weak tag does not matter.
        case .these(let tags): tags.contains { ($0.hasPrefix("W/") ? $0.dropFirst(2) : $0) == tag.text }
        }
    }

    /// Requires that the client's change is based on the representation with this tag.
    ///
    /// - Throws: `Problem` with 428 where the client says nothing, 412 carrying the current tag where it says another.
    public func requireMatch(_ tag: EntityTag) throws(Problem) {
        switch match {
        case nil:
            throw Problem(
                .preconditionRequired, "Send If-Match with the ETag that your change is based on.",
                headers: [.eTag: tag.text])
        case .any: return
        case .these(let tags):
            guard !tags.contains(where: { $0 == tag.text }) else { return }
            throw Self.failed(current: tag)
        }
    }

    /// Requires that the client knows what is in the place that it fills: the representation with this tag, or that there
    /// is none (`If-None-Match: *`).
    ///
    /// - Throws: `Problem` with 428 where the client says nothing, 412 where it knows otherwise.
    public func requireMatch(_ tag: EntityTag?) throws(Problem) {
        if let tag {
            if match == nil, isKnown(tag) { throw Self.failed(current: tag) }
            return try requireMatch(tag)
        }
        switch (match, noneMatch) {
        case (nil, nil):
            throw Problem(.preconditionRequired, "Send If-None-Match: * to fill a place that is empty.")
        case (nil, .any?): return
        default: throw Self.failed(current: nil)
        }
    }

    /// The refusal of a change that is based on an older version.
    public static func failed(current tag: EntityTag?) -> Problem {
        Problem(
            .preconditionFailed, "Your change is based on another version; read it again and repeat.",
            headers: tag.map { [.eTag: $0.text] } ?? [:])
    }

    private static func tags(_ field: String) -> Tags {
        let blanks: Set<Character> = [" ", "\t"]
        let parts = field.split(separator: ",").map { part in
            let rest = part.drop { blanks.contains($0) }
            return rest.prefix { !blanks.contains($0) }
        }
        return parts == ["*"] ? .any : .these(parts)
    }
}
