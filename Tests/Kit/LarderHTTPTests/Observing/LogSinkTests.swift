import Dispatch
import Logging
import Testing

@testable import LarderApp

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

@Suite("Log sink")
struct LogSinkTests {
    @Test func `lines of many threads, longer than a pipe takes at once, are never torn`() async throws {
        var ends: [Int32] = [0, 0]
        try #require(unsafe pipe(&ends) == 0)
        let (input, output) = (ends[1], ends[0])
        // A nonblocking pipe accepts lines in parts, and is full again and again.
        try #require(fcntl(input, F_SETFL, O_NONBLOCK) == 0)
        let (writers, lines) = (8, 60)
        async let reading = readLines(of: output)
        let sink = LogSink(descriptor: input, limit: 1 << 30)
        await withTaskGroup { group in
            for writer in 0..<writers {
                group.addTask {
                    let logger = Logger(label: "\(writer)") { JSONLogHandler(label: $0, level: .info, sink: sink) }
                    let filling = String(repeating: "\(writer)\n", count: 4_000)
                    for line in 0..<lines { logger.info("\(filling)", metadata: ["bytes": .stringConvertible(line)]) }
                }
            }
        }
        await sink.flush(within: .seconds(60))
        close(input)
        var seen = Array(repeating: 0, count: writers)
        for line in await reading {
            let read = try JSONDecoder().decode(LoggedLine.self, from: Data(line))
            let writer = try #require(read.message.first.flatMap { Int(String($0)) })
            #expect(read.message == String(repeating: "\(writer)\n", count: 4_000))
            #expect(read.bytes == seen[writer])
            seen[writer] += 1
        }
        #expect(seen == Array(repeating: lines, count: writers))
    }

    @Test func `a pipe without a reader blocks nothing, and the log reports what it dropped`() async throws {
        var ends: [Int32] = [0, 0]
        try #require(unsafe pipe(&ends) == 0)
        let (input, output) = (ends[1], ends[0])
        let sink = LogSink(descriptor: input, limit: 100_000)
        let logger = Logger(label: "test") { JSONLogHandler(label: $0, level: .info, sink: sink) }
        // More than the capacity of the pipe, the current write and the buffer: a logger that waits would never return.
        for number in 0..<5_000 { logger.info("entry", metadata: ["bytes": .stringConvertible(number)]) }
        #expect(sink.droppedCount > 0)
        await sink.flush(within: .milliseconds(1))
        async let reading = readLines(of: output)
        await sink.flush(within: .seconds(60))
        let dropped = sink.droppedCount
        logger.info("entry", metadata: ["bytes": .stringConvertible(5_000)])
        await sink.flush(within: .seconds(60))
        close(input)
        let lines = try await reading.map { try JSONDecoder().decode(LoggedLine.self, from: Data($0)) }
        let reports = lines.filter { $0.level == "warning" }
        #expect(reports.map(\.dropped) == [dropped])
        #expect(lines.count - 1 == 5_001 - dropped)
        #expect(lines.last?.bytes == 5_000)
        #expect(sink.droppedCount == dropped)
    }

    @Test func `a file that cannot be written costs entries and nothing else`() async throws {
        var ends: [Int32] = [0, 0]
        try #require(unsafe pipe(&ends) == 0)
        let (input, output) = (ends[1], ends[0])
        // The read end of a pipe cannot be written.
        let sink = LogSink(descriptor: output)
        let logger = Logger(label: "test") { JSONLogHandler(label: $0, level: .info, sink: sink) }
        for _ in 0..<3 {
            logger.info("entry")
            await sink.flush(within: .seconds(60))
        }
        #expect(sink.droppedCount == 3)
        close(input)
        close(output)
    }
}

/// The lines of a file up to its end, read outside of the cooperative pool, which the writers keep busy.
private func readLines(of descriptor: Int32) async -> [ArraySlice<UInt8>] {
    await withCheckedContinuation { continuation in
        DispatchQueue(label: "reader").async {
            var (all, buffer): ([UInt8], [UInt8]) = ([], Array(repeating: 0, count: 1 << 16))
            while true {
                let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
                guard count > 0 else { break }
                all += buffer[..<count]
            }
            close(descriptor)
            continuation.resume(returning: all.split(separator: UInt8(ascii: "\n")))
        }
    }
}
