internal import HTTPTypes
public import Hummingbird
public import LarderApp
internal import NIOCore

extension Request {
    /// The media type of the body in lower case, without parameters; `nil` where it is not named.
    public var mediaType: String? {
        headers[.contentType].map { field in
            var type = field.prefix { $0 != ";" }
            while let last = type.last, last == " " || last == "\t" { type.removeLast() }
            return type.lowercased()
        }
    }

    /// Reads a body that says that it is JSON.
    ///
    /// - Parameters:
    ///   - types: The media types that it may have; an answer of 415 names them.
    ///   - limit: The most bytes.
    /// - Throws: `Problem` with 415 or 413; `SpoolError`.
    public func jsonBody(_ types: [String] = ["application/json"], upTo limit: Int) async throws -> Spool {
        guard let mediaType, types.contains(mediaType) else {
            throw Problem(
                .unsupportedMediaType, "The body must be \(types.joined(separator: " or ")).",
                headers: [method == .patch ? .acceptPatch : .accept: types.joined(separator: ", ")])
        }
        return try await wholeBody(upTo: limit)
    }

    /// Reads the whole body. What is more than 64 KiB of it is in a temporary file, so that a client that sends slowly
    /// takes next to no memory.
    ///
    /// - Throws: `Problem` with 413, before anything is read where `Content-Length` says so; the rest is not read.
    ///   `SpoolError`.
    public func wholeBody(upTo limit: Int) async throws -> Spool {
        let tooLarge = Problem(
            .contentTooLarge, "The body may have \(limit) bytes at most.", closesConnection: true)
        if let length = headers[.contentLength].flatMap(Int.init), length > limit { throw tooLarge }
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
