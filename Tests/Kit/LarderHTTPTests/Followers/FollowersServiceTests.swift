import Foundation
import LarderApp
import LarderData
import LarderDomain
import LarderFollowers
import LarderHTTP
import LarderInfrastructure
import Testing

/// Followers in a running service, and their command.
struct FollowersServiceTests {
    /// Runs a command: its exit status and its output.
    private func letters(_ arguments: String...) async -> (status: Int32, text: String) {
        let output = CapturedOutput()
        let status = await output.during {
            await CommandFrame.run(Letters.self, Letters.identity, arguments: ["followers"] + arguments)
        }
        return (status, String(decoding: output.output + output.errors, as: UTF8.self))
    }

    private func line(of name: String, _ store: String) async throws -> [String] {
        let text = await letters("--store", store).text
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix(name) }, "\(text)")
        return line.split(separator: " ").map(String.init)
    }

    private func expectLine(of name: String, _ store: String, _ words: String...) async throws {
        let found = try await line(of: name, store)
        #expect(found == [name] + words)
    }

    private func withPersons(_ store: String, _ names: String...) async throws {
        let mappers = try MapperSet(Letters.mappers)
        let opened = try await StoreSettings(location: .sqlite(path: store)).open(mappers.schemas)
        let manager = StoreManager(opened, mappers: mappers)
        for name in names { try await manager.create(Person(id: EntityID(UUIDv7Generator().next()), name: name)) }
        await opened.close()
    }

    @Test
    func `an operator finds what has failed while the service runs, and continues it after the service has stopped`()
        async throws
    {
        try await withDatabase { path in
            let store = "sqlite:\(path)"
            // The followers of a new store start after its last commit.
            try await Letters.serving(.sqlite(path: path)) { _, _ in
                while try await line(of: "letters", store)[1] != "follows" {
                    try await Task.sleep(for: .milliseconds(10))
                }
                while try await line(of: "names", store)[1] != "follows" {
                    try await Task.sleep(for: .milliseconds(10))
                }
            }
            try await withPersons(path, "ann", "bad")
            try await expectLine(of: "letters", store, "follows", "2", "0")
            try await Letters.serving(.sqlite(path: path)) { _, _ in
                while try await line(of: "letters", store)[3] != "1" { try await Task.sleep(for: .milliseconds(10)) }
                while try await line(of: "names", store)[1] != "stopped" {
                    try await Task.sleep(for: .milliseconds(10))
                }
                let failures = await letters("letters", "--store", store)
                #expect(failures.status == 0 && failures.text.contains("Failed()"), "\(failures.text)")
                let locked = await letters("letters", "--retry", "--store", store)
                #expect(locked.status == 75, "\(locked.text)")
            }
            try await expectLine(of: "names", store, "stopped", "1", "0", "Failed()")
            let again = await letters("letters", "--retry", "--store", store)
            #expect(again.text == "letters: letters has failed again: Failed()\n" && again.status == 1)
            try await withPersons(path, "good")
            let retried = await letters("letters", "--retry", "--store", store)
            #expect(retried.text.hasPrefix("1 commit of letters handled"), "\(retried.text)")
            let skipped = await letters("names", "--skip", "--store", store)
            #expect(skipped.text == "names skips its next commit\n")
            let unskipped = await letters("names", "--skip", "--store", store)
            #expect(unskipped.text == "names has not failed; nothing is skipped\n")
            try await expectLine(of: "names", store, "follows", "1", "0")
            #expect(await letters("letters", "--reset", "--store", store).status == 0)
            try await expectLine(of: "letters", store, "follows", "not", "started", "0")
            let json = await letters("--json", "--store", store).text
            #expect(json.contains(#"{"attempts":0,"entities":["person"],"lag":1,"name":"names","oldest":""#), "\(json)")
            #expect(json.contains(#""name":"purge tokens","tick":""#), "\(json)")
        }
    }

    @Test func `a command with a mistake changes nothing, and names it`() async throws {
        try await withDatabase { path in
            let missing = await letters("--store", "sqlite:\(path)")
            #expect(missing.status == 69 || missing.status == 66, "\(missing)")
            #expect(!FileManager.default.fileExists(atPath: path))
            try await withPersons(path)
            let unknown = await letters("post", "--reset", "--store", "sqlite:\(path)")
            #expect(unknown.status == 66)
            #expect(unknown.text.contains("no follower has the name 'post'; the followers are letters, names"))
            let unnamed = await letters("--retry", "--store", "sqlite:\(path)")
            #expect(unnamed.status == 64 && unnamed.text.contains("Missing: the name of the follower."), "\(unnamed)")
        }
    }

    @Test func `a program without the schemas of followers is refused at its start`() async throws {
        await #expect(throws: FollowerError.missingMappers) {
            let settings = ServiceSettings(
                store: StoreSettings(location: .memory), server: ServerSettings(port: 0))
            try await ServiceRun(settings, Letters.identity, Letters.container, mappers: Loans.mappers).untilStopped {
                LoansAPI($0)
            } onServing: { _, _ in
            }
        }
    }
}
