import ArgumentParser
import LarderApp
import LarderHTTP
import Testing

@testable import LoansApp

/// The composition root.
struct ContainerTests {
    @Test func `a factory that a test replaces opens the store of commands and of the service`() async throws {
        var container = Container()
        let failure = CommandFailure(.busy, "the factory of the test")
        container.openStore = { _, _ in throw failure }
        await #expect(throws: failure) { try await UsersCommand.List.parse([]).run(with: container) }
        await #expect(throws: failure) {
            try await ServeCommand<Program>.parse(["--http-port", "0"]).run(with: container)
        }
    }
}
