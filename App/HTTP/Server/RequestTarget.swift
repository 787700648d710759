internal import LarderDomain
internal import NIOHTTP1

/// The target in the first line of a request.
struct RequestTarget {
    /// The path, and the query if there is one.
    let originForm: String

    /// Checks the target.
    ///
    /// - Throws: `Problem` with 400, or 414 for more than `limit` bytes.
    init(_ head: HTTPRequestHead, host: String, limit: Int) throws(Problem) {
        let text = head.uri
        guard text.utf8.count <= limit else {
            throw Problem(.uriTooLong, "The request target exceeds the limit of \(limit) bytes.")
        }
        if text == "*" {
            guard head.method == .OPTIONS else { throw .badRequest("The request target * requires OPTIONS.") }
            originForm = text
            return
        }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != 0x23 && $0 != 0x5c }) else {
            throw .badRequest("The request target has characters that must be percent-encoded.")
        }
        originForm = try Self.originForm(of: text, host: host)
        let parts = originForm.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        try Self.checkPath(parts[0])
        guard parts.count > 1 else { return }
        guard let query = parts[1].utf8.percentDecoded(), !query.utf8.contains(0) else {
            throw .badRequest("The query is not percent-encoded UTF-8.")
        }
    }

    /// The origin form of a target. The absolute form, which is for proxies, is accepted if it agrees with `Host`.
    private static func originForm(of text: String, host: String) throws(Problem) -> String {
        guard !text.hasPrefix("/") else { return text }
        let scheme = text.prefix { $0 != ":" }.lowercased()
        let rest = text.dropFirst(scheme.count)
        guard ["http", "https"].contains(scheme), rest.hasPrefix("://") else {
            throw .badRequest("The request target must be a path.")
        }
        let authority = rest.dropFirst(3).prefix { $0 != "/" && $0 != "?" }
        guard authority.lowercased() == host.lowercased() else {
            throw .badRequest("The host of the request target differs from Host.")
        }
        let path = rest.dropFirst(3 + authority.count)
        return path.hasPrefix("/") ? String(path) : "/" + path
    }

    private static func checkPath(_ path: Substring) throws(Problem) {
        guard path.utf8.contains(0x25) || path.utf8.contains(0x2e) else { return }
        guard let bytes = path.utf8.percentDecoded()?.utf8 else {
            throw .badRequest("The path is not percent-encoded UTF-8.")
        }
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else {
            throw .badRequest("The path must not contain control characters.")
        }
        let segments = bytes.split(whereSeparator: { $0 == 0x2f || $0 == 0x5c })
        guard !segments.contains(where: { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }) else {
            throw .badRequest("The path must not have the segments . or ..")
        }
    }
}
