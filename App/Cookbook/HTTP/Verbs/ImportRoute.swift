internal import CookbookDomain
internal import HTTPTypes
internal import Hummingbird
internal import LarderApp
internal import LarderHTTP
internal import Logging
internal import NIOCore

/// Imports schema.org recipes of any number, and reports a result for each.
///
/// The upload is read and its recipes are stored in batches; results are spooled and sent after it, because most
/// clients do not read while they send. Recipes stored before an import fails are kept: sending them again does not
/// change them.
struct ImportRoute: Sendable {
    private static let lines = "application/x-ndjson"
    private static let documents = ["application/json", "application/ld+json"]
    /// The maximum length of a line: 1 MiB.
    private static let maximumLine = 1 << 20
    /// The maximum size of a document, which is read as a whole: 5 MiB.
    private static let maximumDocument = 5 << 20

    let service: CookbookService

    func add(to router: RouterGroup<CookbookContext>) {
        router.post("import", use: take)
    }

    private func take(_ request: Request, _ context: CookbookContext) async throws -> Response {
        let cookbook = try service.scope(for: context, isPrivate: true)
        guard context.caller.permissions.isCook else {
            throw Problem(.forbidden, "Only cooks and admins may import recipes.")
        }
        try QueryParameters(request).finish()
        try service.refuseIdempotencyKey(request, "a repeated import changes nothing.")
        var upload = ImportUpload(useCase: cookbook.importRecipes)
        do {
            if request.mediaType == Self.lines {
                try request.requireUTF8()
                try await readLines(of: request, into: &upload)
            } else {
                // JSON Lines are included, because the error for another type lists the supported ones.
                let types = Self.documents + [Self.lines]
                let document = try await request.jsonBody(types, upTo: Self.maximumDocument)
                try await service.loading(document) { try await Self.readDocument($0, into: &upload) }
            }
            return Self.response(try await upload.finish())
        } catch let error as SpoolError {
            context.logger.error("cannot store the results of an import", metadata: ["cause": "\(error)"])
            throw Self.problem(error)
        }
    }

    func readLines(of request: Request, into upload: inout ImportUpload) async throws {
        var cutter = LineCutter(maximumLength: Self.maximumLine)
        var pace = WorkPace()
        for try await buffer in request.body {
            cutter.append(Array(buffer.readableBytesView))
            try await take(from: &cutter, into: &upload, &pace)
        }
        cutter.end()
        try await take(from: &cutter, into: &upload, &pace)
    }

    private func take(
        from cutter: inout LineCutter, into upload: inout ImportUpload, _ pace: inout WorkPace
    ) async throws {
        while let cut = cutter.next() {
            switch cut {
            case .tooLong(let number):
                let error = SchemaOrgError("is longer than \(Self.maximumLine) bytes")
                try await upload.take(RecipeItem(position: .line(number), content: .bad(error)), bytes: 0)
                await pace.finished(0)
            case .line(let line):
                let bytes = line.bytes.count
                if !line.isBlank {
                    let items = try await service.working(on: bytes) {
                        RecipeItem.items(in: line, atMost: JSON.greatestCount)
                    }
                    for item in items { try await upload.take(item, bytes: bytes) }
                }
                await pace.finished(bytes)
            }
        }
    }

    /// Results of a document are numbered by recipe, not by line: a document may be one line. Its size is limited, so
    /// batches are limited only by their number of items.
    private static func readDocument(_ bytes: [UInt8], into upload: inout ImportUpload) async throws {
        let document: JSON
        do {
            document = try JSON(schemaOrg: bytes, atMost: JSON.greatestCount)
        } catch  where error.isAboutCount {
            throw Problem(.contentTooLarge, "The document has more than 100,000 values; send it in parts.")
        } catch {
            throw Problem(.badRequest, "The document \(error).")
        }
        for item in RecipeItem.items(in: document) { try await upload.take(item, bytes: 0) }
    }

    private static func response(_ results: (lines: Spool, summary: [UInt8])) -> Response {
        // Sent in chunks; the length is a separate header field, not derived from the body.
        let body = ResponseBody { writer in
            var sent = 0
            while sent < results.lines.count {
                let piece = try results.lines.read(from: sent, atMost: OutgoingBytes.pieceBytes)
                try await writer.write(ByteBuffer(bytes: piece))
                sent += piece.count
            }
            try await writer.write(ByteBuffer(bytes: results.summary))
            try await writer.finish(nil)
        }
        let headers: HTTPFields = [
            .contentType: lines, .contentLength: String(results.lines.count + results.summary.count),
            .cacheControl: "no-store",
        ]
        return Response(status: .ok, headers: headers, body: body)
    }

    private static func problem(_ error: SpoolError) -> Problem {
        guard case .failed = error else { return Problem(error) ?? Problem(.contentTooLarge, "The body is too large.") }
        return Problem(
            .storeUnavailable, "The service has no space for the results of the import; stored items remain.",
            headers: [.retryAfter: "30"])
    }
}
