internal import HTTPTypes
public import Hummingbird
public import LarderApp
internal import NIOCore

extension Request {
    /// The media type of the body in lower case, without parameters; `nil` without a `Content-Type`.
    public var mediaType: String? {
        headers.value(.contentType).map { field in
            var type = field.prefix { $0 != ";" }
            while let last = type.last, last == " " || last == "\t" { type.removeLast() }
            return type.lowercased()
        }
    }

    /// Refuses a body whose `Content-Type` names another charset than UTF-8.
    ///
    /// - Throws: `Problem` with 415.
    public func requireUTF8() throws(Problem) {
        let parameters = (headers.value(.contentType) ?? "").split(separator: ";").dropFirst()
        for parameter in parameters.map({ $0.lowercased().filter { !" \t\"".contains($0) } })
        where parameter.hasPrefix("charset=") && parameter != "charset=utf-8" {
            throw Problem(.unsupportedMediaType, "The body must be in UTF-8: omit the charset, or use charset=utf-8.")
        }
    }

    /// Reads a body that is declared as JSON.
    ///
    /// - Parameters:
    ///   - types: The supported media types, which the 415 lists.
    ///   - limit: The maximum size in bytes.
    /// - Throws: `Problem` with 415 or 413; `SpoolError`.
    public func jsonBody(_ types: [String] = ["application/json"], upTo limit: Int) async throws -> Spool {
        guard let mediaType, types.contains(mediaType) else {
            throw Problem(
                .unsupportedMediaType, "The body must be \(types.joined(separator: " or ")).",
                headers: [method == .patch ? .acceptPatch : .accept: types.joined(separator: ", ")])
        }
        try requireUTF8()
        return try await wholeBody(upTo: limit)
    }

    /// Reads the whole body. Bytes beyond the first 64 KiB are in a temporary file, so that a client that sends slowly
    /// uses almost no memory.
    ///
    /// - Throws: `Problem` with 413, before reading if `Content-Length` exceeds the limit; the rest of the body is not
    ///   read. `SpoolError`.
    public func wholeBody(upTo limit: Int) async throws -> Spool {
        let tooLarge = Problem(
            .contentTooLarge, "The body exceeds the limit of \(limit) bytes.", closesConnection: true)
        if let length = headers.value(.contentLength).flatMap(Int.init), length > limit { throw tooLarge }
        var spool = Spool(limit: limit)
        for try await buffer in body {
            guard spool.count + buffer.readableBytes <= limit else { throw tooLarge }
            try spool.append(Array(buffer.readableBytesView))
        }
        return spool
    }
}

extension HTTPField.Name {
    static let acceptPatch = HTTPField.Name("Accept-Patch") ?? .accept
}
