internal import Foundation
internal import Hummingbird
internal import Logging
internal import NIOCore

/// `PeerServer DATABASE FILE`: Larder's routes for recipes, by hand with Hummingbird, GRDB, and Codable.
///
/// It creates the database, imports the recipes of a file with one in JSON on each line, serves them on a free port, and
/// prints the address and the token of an admin.
@main
struct PeerServer {
    static func main() async throws {
        guard CommandLine.arguments.count == 3 else {
            print("usage: PeerServer DATABASE FILE")
            return
        }
        let pool = try PeerDatabase.open(CommandLine.arguments[1])
        try RecipeImport.run(CommandLine.arguments[2], into: pool)
        let token = try AccessToken.createAdmin(in: pool)

        let router = Router(context: PeerContext.self)
        router.addMiddleware {
            RequestIDMiddleware()
            LogRequestsMiddleware(.info)
        }
        router.get("health/live") { _, _ in Health(status: "live") }
        RecipeRoutes(recipes: RecipeRepository(pool: pool), tokens: TokenMiddleware(pool: pool)).add(to: router)
        let application = Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in
                let address = "http://127.0.0.1:\(channel.localAddress?.port ?? 0)/"
                // The parent process waits for these lines.
                FileHandle.standardOutput.write(Data("PeerServer listens on \(address)\nToken: \(token)\n".utf8))
            }, logger: Logger(label: "peer"))
        try await application.runService()
    }
}

private struct Health: ResponseEncodable {
    let status: String
}
