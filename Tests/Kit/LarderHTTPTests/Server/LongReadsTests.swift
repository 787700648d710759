import Hummingbird
import LarderApp
import LarderDomain
import NIOCore
import Testing

@testable import LarderHTTP

struct LongReadsTests {
    @Test func `lists without a token leave a place to known callers`() async throws {
        let lists = try await service().lists
        let anonymous = Tally()
        try await withThrowingTaskGroup { group in
            for _ in 0..<10 {
                group.addTask {
                    try await lists.pass(for: nil) {
                        anonymous.add(1)
                        try await Task.sleep(for: .seconds(600))
                    }
                }
            }
            try await until { lists.waitingCount == 8 }
            try await lists.pass(for: "known") { #expect(anonymous.now == 2) }
            group.cancelAll()
            while !group.isEmpty { _ = try? await group.next() }
        }
    }

    private func service() async throws -> ResourceService<Reader, Void> {
        let service = try await Service()
        return ResourceService(
            manager: service.manager, authenticator: AccessTokenAuthenticator<Reader>(service.tokens) { _ in nil },
            readingIsOpen: true, limits: ServerLimits(), responses: ResponseKeeper()
        ) { _, _ in }
    }

    @Test func `reads of a long entity leave a thread to other requests, also before its length is known`() async throws
    {
        let service = try await service()
        /// The maximum number of simultaneous reads of an entity whose response has a length.
        func most(_ id: UInt64, _ lengths: [Int]) async throws -> Int {
            var inside = Tally()
            for length in lengths {
                inside = Tally()
                let started = Tally()
                let response = Response(
                    status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(repeating: 0x61, count: length)))
                try await withThrowingTaskGroup { [inside] group in
                    for _ in 0..<20 {
                        group.addTask {
                            // All start together: on a busy machine, each could end before the next one starts.
                            started.add(1)
                            while started.now < 20 { await Task.yield() }
                            _ = try await service.reading(RawID(high: 0, low: id)) { isLengthKnown in
                                inside.add(1)
                                for _ in 0..<20 { await Task.yield() }
                                inside.add(-1)
                                // As for a response of 304, which does not tell the length.
                                return (response, isLengthKnown && length > 10 ? nil : length)
                            }
                        }
                    }
                    try await group.waitForAll()
                }
            }
            return inside.most
        }
        let threads = RequestThreads.shared.count
        let (first, long, short) = (
            try await most(3, [1 << 20]), try await most(1, [1 << 20, 1 << 20]), try await most(2, [10, 10])
        )
        #expect(first < threads && long < threads && short >= threads)
        let nowShort = try await most(1, [10, 10])
        #expect(nowShort >= threads)
    }
}
