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
        // A pipe that does not block takes lines in parts, and is full again and again.
        try #require(fcntl(input, F_SETFL, O_NONBLOCK) == 0)
        let (writers, lines) = (8, 60)
        async let reading = readLines(of: output)
        let sink = LogSink(descriptor: input)
        await withTaskGroup { group in
            for writer in 0..<writers {
                group.addTask {
                    let logger = Logger(label: "\(writer)") { JSONLogHandler(label: $0, sink: sink) }
                    let filling = String(repeating: "\(writer)\n", count: 4_000)
                    for line in 0..<lines { logger.info("\(filling)", metadata: ["bytes": .stringConvertible(line)]) }
                }
            }
        }
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
}

/// The lines of a file to its end, read off the cooperative pool, which the writers keep busy.
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
