internal import HTTPTypes
public import Hummingbird
internal import NIOCore

extension Request {
    /// The media type of the body in lower case, without parameters; `nil` where it is not named.
    public var mediaType: String? {
        headers[.contentType].map { field in
            field.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
        }
    }

    /// Reads a body that says that it is JSON.
    ///
    /// - Parameters:
    ///   - types: The media types that it may have; an answer of 415 names them.
    ///   - limit: The most bytes.
    /// - Throws: `Problem` with 415 or 413.
    public func jsonBytes(_ types: [String] = ["application/json"], upTo limit: Int) async throws -> [UInt8] {
        guard let mediaType, types.contains(mediaType) else {
            throw Problem(
                .unsupportedMediaType, "The body must be \(types.joined(separator: " or ")).",
                headers: [method == .patch ? .acceptPatch : .accept: types.joined(separator: ", ")])
        }
        return try await bytes(upTo: limit)
    }

    /// Reads the whole body.
    ///
    /// - Throws: `Problem` with 413, before anything is read where `Content-Length` says so; the rest is not read.
    public func bytes(upTo limit: Int) async throws -> [UInt8] {
        let tooLarge = Problem(
            .contentTooLarge, "The body may have \(limit) bytes at most.", closesConnection: true)
        if let length = headers[.contentLength].flatMap(Int.init), length > limit { throw tooLarge }
        var bytes: [UInt8] = []
        for try await buffer in body {
            guard bytes.count + buffer.readableBytes <= limit else { throw tooLarge }
            bytes += buffer.readableBytesView
        }
        return bytes
    }
}

extension HTTPField.Name {
    static let acceptPatch = HTTPField.Name("Accept-Patch") ?? .accept
}
