internal import LarderDomain
internal import NIOHTTP1

extension HTTPRequestHead {
    /// Whether the request may use a connection beyond the limit: a health check, or one with a token. A valid token is
    /// not known yet, and the request with another one ends soon.
    var mayUseReserve: Bool { uri.hasPrefix("/health/") || headers.contains(name: "authorization") }
}

/// Checks the head of a request before all other handlers (RFC 9112). The parser accepts more heads; a head with two
/// interpretations permits request smuggling.
struct HeadCheck: Sendable {
    let limits: ServerLimits

    /// The head with its target in origin form.
    ///
    /// - Throws: `Problem` with 400 or 414.
    func checked(_ head: HTTPRequestHead) throws(Problem) -> HTTPRequestHead {
        var head = head
        head.headers = Self.trimmed(head.headers)
        // A client of HTTP/1.0 does not know the interim response (RFC 9110, section 10.1.1).
        if head.version == .http1_0 { head.headers.remove(name: "expect") }
        let host = try host(of: head)
        try checkFields(head)
        try checkFraming(head)
        head.uri = try RequestTarget(head, host: host, limit: limits.targetBytes).originForm
        return head
    }

    /// The fields without the optional whitespace around their values (RFC 9112, section 5), which the parser leaves.
    private static func trimmed(_ fields: HTTPHeaders) -> HTTPHeaders {
        func isBlank(_ byte: UInt8?) -> Bool { byte == 0x20 || byte == 0x09 }
        guard fields.contains(where: { isBlank($0.value.utf8.first) || isBlank($0.value.utf8.last) }) else {
            return fields
        }
        return HTTPHeaders(
            fields.map { name, value in
                var bytes = value.utf8[...]
                while isBlank(bytes.first) { bytes.removeFirst() }
                while isBlank(bytes.last) { bytes.removeLast() }
                return (name, String(Substring(bytes)))
            })
    }

    private func host(of head: HTTPRequestHead) throws(Problem) -> String {
        let hosts = head.headers["host"]
        guard let host = hosts.first else { throw .badRequest("The Host field is missing.") }
        guard hosts.count == 1 else { throw .badRequest("There is more than one Host field.") }
        guard HostField.isValid(host) else { throw .badRequest("The Host field is not a valid host.") }
        return host
    }

    private func checkFields(_ head: HTTPRequestHead) throws(Problem) {
        for (name, value) in head.headers {
            guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }) else {
                throw .badRequest("The field \(name) must not contain control characters.")
            }
            guard !value.hasLongCombiningRun else {
                throw .badRequest("The field \(name) \(TextRefusal.tooManyCombiningMarks).")
            }
        }
    }

    private func checkFraming(_ head: HTTPRequestHead) throws(Problem) {
        let lengths = head.headers["content-length"]
        guard lengths.count <= 1 else { throw .badRequest("There is more than one Content-Length field.") }
        if let length = lengths.first {
            guard !length.isEmpty, length.utf8.allSatisfy({ (0x30...0x39).contains($0) }), Int(length) != nil else {
                throw .badRequest("Content-Length must be a non-negative integer.")
            }
        }
        let codings = head.headers["transfer-encoding"]
        guard !codings.isEmpty else { return }
        guard lengths.isEmpty else { throw .badRequest("Content-Length and Transfer-Encoding must not be combined.") }
        guard head.version == .http1_1 else { throw .badRequest("Transfer-Encoding needs HTTP/1.1.") }
        guard codings.count == 1, codings[0].lowercased() == "chunked" else {
            throw .badRequest("The only supported Transfer-Encoding is chunked.")
        }
    }
}
