internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOCore

/// Tells a record how much of an answer was written.
///
/// It is sent to the body that it was made for, and then used by nobody else; the connection, whose writer it holds,
/// waits until that body has ended. So no two threads ever have it at the same time, which is why the compiler need not
/// check that it can be sent.
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
    /// The same body, which ends a record when it has been written, and logs as the request does meanwhile.
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
