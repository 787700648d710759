import ArgumentParser
import LarderApp
import LarderHTTP
import LarderTesting
import Testing

@testable import CookbookApp

@Suite struct HTTPWayTests {
    @Test func `every command that needs the store lock names an equivalent route`() async throws {
        let http = try await CookbookHarness()
        let routes = Set(http.routes)
        let commands = Self.commands(of: Larder.self).compactMap { $0 as? any CookbookCommand.Type }
        #expect(commands.count > 25)
        for command in commands {
            let way = command.httpWay.prefix { $0 != "?" }
            #expect(routes.contains(String(way)), "\(command): \(way)")
        }
    }

    private static func commands(of command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
        [command] + command.configuration.subcommands.flatMap(commands)
    }
}
