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

    #if Postgres
    @Test(arguments: [
        ("sqlite:a", 0), ("postgres://a", 8), ("mirrored(postgres://a, postgres://b, required=1)", 16),
        ("read-only(postgres://a)", 8),
    ])
    func `each PostgreSQL store has a share of the descriptors`(location: String, connections: Int) throws {
        let location = try StoreLocation(location, environment: UserEnvironment([:]))
        #expect(StoreSettings(location: location).mostConnections == connections)
    }
    #endif

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
