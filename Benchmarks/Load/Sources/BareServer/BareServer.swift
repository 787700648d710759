internal import Hummingbird
internal import Logging
internal import NIOCore

/// `BareServer FILE`: Hummingbird with defaults, on a free port, which it prints. It reads the request body and answers
/// every change with the unchanged recipe.
@main
struct BareServer {
    static func main() async throws {
        guard CommandLine.arguments.count == 2, let answers = Answers(path: CommandLine.arguments[1]) else {
            print("usage: BareServer FILE")
            return
        }
        let router = Router()
        router.get("health/live") { request, _ in answers.answer(request, body: live) }
        router.get("v1/recipes/{id}") { request, _ in answers.answer(request, request.uri.path) }
        router.get("v1/recipes") { request, _ in answers.answer(request, request.uri.string) }
        router.put("v1/recipes/{id}") { request, _ in
            _ = try await request.body.collect(upTo: 1 << 18)
            return answers.answer(request, request.uri.path)
        }
        router.post("v1/recipes/{id}/rate") { request, _ in
            _ = try await request.body.collect(upTo: 1 << 18)
            return answers.answer(request, body: rated)
        }
        var logger = Logger(label: "bare")
        logger.logLevel = .error
        let application = Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in
                print("BareServer listens on http://127.0.0.1:\(channel.localAddress?.port ?? 0)/")
                // The parent process waits for this line.
                fflushAll()
            }, logger: logger)
        try await application.runService()
    }

    private static let live = ByteBuffer(string: #"{"status":"live"}"#)
    private static let rated = ByteBuffer(
        string: #"{"recipe":"01a1fd03-c4ef-7006-a0b4-c85b2ee3da91","rating":3}"#)
}
