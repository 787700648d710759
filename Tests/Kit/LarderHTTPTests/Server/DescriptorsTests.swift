import LarderApp
import Testing

@testable import LarderHTTP

struct DescriptorsTests {
    @Test func `connections and their reserve fit into the limit`() throws {
        for limit in [64, 256, 1024, 65_536] {
            let number = try Descriptors.connections(1024, limit: limit, used: 47)
            var limits = ServerLimits()
            limits.connections = number
            #expect(number + limits.reservedConnections + 47 <= limit)
            #expect(number == 1024 || number + limits.reservedConnections + 47 >= limit - 2)
        }
        #expect(try Descriptors.connections(1, limit: 64, used: 47) == 1)
    }

    @Test func `a limit that leaves no connections is refused, with the one that is needed`() throws {
        do {
            _ = try Descriptors.connections(1024, limit: 50, used: 47)
            Issue.record("accepted")
        } catch {
            #expect(error.status == .configuration)
            #expect(
                error.message
                    == "the limit of 50 open files leaves none for connections: 47 are needed for other purposes"
            )
            #expect(error.advice == "Raise it to 1199, for example with ulimit -n or LimitNOFILE=.")
        }
    }
}
