internal import Crypto
internal import LarderApp
internal import LarderDomain

/// The scope of an idempotency key. The same key of another caller, or for another route, is a different key.
public struct ResponseScope: Hashable, Sendable {
    /// The unique key of the caller.
    public let caller: String
    /// The method of the request.
    public let method: String
    /// The request's path or the route's pattern.
    public let route: String

    /// Makes the scope of the requests of a caller with a method to a route.
    public init(caller: String, method: String, route: String) {
        (self.caller, self.method, self.route) = (caller, method, route)
    }

    /// The id of the stored response for a key.
    func responseID(of key: String) -> EntityID<StoredResponse> { EntityID(Self.id(of: [caller, method, route, key])) }

    /// Identifies the caller in stored responses.
    var callerID: RawID { Self.id(of: [caller]) }

    /// The first 16 bytes of a digest. Each part follows its length, so all lists of parts differ.
    private static func id(of parts: [String]) -> RawID {
        var hash = SHA256()
        for part in parts {
            let length = UInt64(part.utf8.count)
            hash.update(data: (0..<8).map { UInt8(truncatingIfNeeded: length >> (56 - 8 * $0)) })
            hash.update(data: Array(part.utf8))
        }
        return RawID(firstOf: Array(hash.finalize()))
    }
}
