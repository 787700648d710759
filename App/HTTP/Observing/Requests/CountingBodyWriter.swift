internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOCore

/// Counts the written bytes of a response body in a record.
///
/// The writer is sent to the body that it was made for, and used only there. The connection, whose writer it wraps,
/// waits until the body has ended. Two threads therefore never use it at the same time, and the compiler does not need
/// to check that it is sendable.
struct CountingBodyWriter: ResponseBodyWriter, @unchecked Sendable {
    var base: any ResponseBodyWriter
    let record: RequestRecord

    @concurrent
    mutating func write(_ buffer: ByteBuffer) async throws {
        let count = buffer.readableBytes
        try await base.write(buffer)
        record.wrote(bytes: count)
    }

    @concurrent
    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
        try await base.finish(trailingHeaders)
    }
}

extension ResponseBody {
    /// The same body, which completes a record after it has been written, and logs with the logger of the request.
    func ending(_ record: RequestRecord) -> ResponseBody {
        ResponseBody(contentLength: contentLength) { writer in
            defer { record.end() }
            do {
                let counting = CountingBodyWriter(base: writer, record: record)
                try await withLogger(record.logger) { _ in try await write(counting) }
            } catch {
                record.wasCut()
                throw error
            }
        }
    }
}
