internal import Foundation
internal import Hummingbird

/// The context of a request, with the user whose token it has.
struct PeerContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    var user: User?

    init(source: ApplicationRequestContextSource) { coreContext = CoreRequestContextStorage(source: source) }

    var maxUploadSize: Int { 8 << 20 }
    var requestDecoder: JSONDecoder { Self.decoder }
    var responseEncoder: JSONEncoder { Self.encoder }

    private static let decoder = JSONDecoder()
    private static let encoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return encoder
    }()
}
