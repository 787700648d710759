internal import HTTPTypes
internal import Hummingbird
internal import LarderApp
internal import LarderData
internal import LarderInfrastructure
internal import Logging
internal import NIOCore

#if canImport(FoundationEssentials)
private import FoundationEssentials
#else
private import Foundation
#endif

/// `GET /v1/backup`: a backup of everything in the service's store.
///
/// The backup is written to a temporary file first, because a client that reads slowly must not hold a snapshot of the
/// store. That takes time, so the response starts before: a later failure closes the connection, and the end of the file is
/// missing.
struct BackupRoute<Context: ServiceContext>: Sendable {
    private let store: any Store
    /// One backup is written or sent at a time, which bounds the temporary files.
    private let gate = WorkGate(1)

    init(_ store: any Store) { self.store = store }

    func add(to routes: some RouterMethods<Context>) {
        routes.get("backup", use: backUp)
        routes.head("backup", use: backUp)
    }

    private func backUp(_ request: Request, _ context: Context) async throws -> Response {
        let parameters = try QueryParameters(request)
        try parameters.finish()
        if request.method == .head { return Response(status: .ok, headers: Self.headers, body: .unsent) }
        return try response(context.logger)
    }

    func response(_ logger: Logger) throws(Problem) -> Response {
        guard let claim = try? gate.claim() else {
            throw Problem(.overloaded, "Another backup is being made; try again later.", headers: [.retryAfter: "60"])
        }
        // The claim ends with the body of the response, or with a response that is never sent.
        let body = ResponseBody { [store] writer in
            defer { claim.release() }
            do {
                let file = try await Self.file(of: store)
                var sent = 0
                while sent < file.size {
                    let piece = try file.read(at: sent, atMost: Spool.pieceSize)
                    guard !piece.isEmpty else { throw SpoolError.failed("the file was truncated") }
                    try await writer.write(ByteBuffer(bytes: piece))
                    sent += piece.count
                }
                try await writer.finish(nil)
            } catch {
                logger.warning("backup failed", metadata: ["cause": "\(error)"])
                throw error
            }
        }
        return Response(status: .ok, headers: Self.headers, body: body)
    }

    private static var headers: HTTPFields {
        [
            .contentType: "application/octet-stream", .cacheControl: "no-store",
            .contentDisposition: #"attachment; filename="\#(ServiceIdentity.current.name).backup""#,
        ]
    }

    /// Backs up the store to a temporary file without a name.
    private static func file(of store: any Store) async throws -> UnnamedBackup {
        let path = FileManager.default.temporaryDirectory.appending(
            path: "\(ServiceIdentity.current.name)-\(UUID().uuidString).backup"
        ).path
        return try await Backup.writeUnnamed(store, at: path)
    }
}
