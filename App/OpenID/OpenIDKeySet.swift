internal import AsyncHTTPClient
internal import JWTKit
internal import LarderApp
internal import NIOCore
internal import NIOHTTP1

/// The keys of an issuer that verify signatures with permitted algorithms.
struct OpenIDKeySet: Sendable {
    /// A key for each algorithm that it can have.
    typealias Key = [OpenIDConfiguration.Algorithm: any JWTAlgorithm]

    /// The keys by id; one id may name a key of each type.
    private var keys: [String?: Key] = [:]

    /// The key of an id, or without an id the only key.
    func key(_ id: String?) -> Key? { id == nil && keys.count == 1 ? keys.values.first : id.flatMap { keys[$0] } }

    /// Reads a JWK Set (RFC 7517). Keys of an unknown form or for another use are ignored, as it requires.
    init(_ json: JSON, _ configuration: OpenIDConfiguration) async throws {
        guard case .array(let items)? = json["keys"] else { throw OpenIDError.invalidDocument("no list 'keys'") }
        guard items.count <= configuration.maximumKeys else { throw OpenIDError.invalidDocument("too many keys") }
        for item in items where item["use"].map({ $0.text == "sig" }) ?? true {
            guard var key = try? JWK(json: String(decoding: item.bytes(), as: UTF8.self)) else { continue }
            let (id, only) = (key.keyIdentifier?.string, key.algorithm?.rawValue)
            key.keyIdentifier = "key"
            for algorithm in configuration.algorithms where only == nil || only == algorithm.rawValue {
                key.algorithm = .init(rawValue: algorithm.rawValue)
                if let key = try? await JWTKeyCollection().add(jwk: key).getKey(alg: algorithm.rawValue) {
                    keys[id, default: [:]][algorithm] = key
                }
            }
        }
    }

    /// Fetches the metadata of the issuer, and its keys.
    static func fetched(_ configuration: OpenIDConfiguration) async throws -> OpenIDKeySet {
        try await withThrowingTaskGroup(of: OpenIDKeySet.self) { group in
            group.addTask {
                let issuer = configuration.issuer
                let base = issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
                let metadata = try await document(base + "/.well-known/openid-configuration", configuration)
                guard metadata["issuer"]?.text?.utf8.elementsEqual(issuer.utf8) == true else {
                    throw OpenIDError.otherIssuer
                }
                guard let address = metadata["jwks_uri"]?.text,
                    OpenIDConfiguration.isAddress(address, permitsHTTP: configuration.permitsHTTP)
                else { throw OpenIDError.invalidDocument("jwks_uri is no URL with https") }
                return try await OpenIDKeySet(try await document(address, configuration), configuration)
            }
            // The client's limit ends with the head of a response.
            group.addTask {
                try await Task.sleep(for: configuration.timeLimit)
                throw OpenIDError.timedOut
            }
            defer { group.cancelAll() }
            guard let keys = try await group.next() else { throw OpenIDError.timedOut }
            return keys
        }
    }

    /// The client of all issuers, which is never shut down. The shared client would follow redirects.
    private static let client = {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow, decompression: .disabled)
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration)
    }()

    private static func document(_ address: String, _ configuration: OpenIDConfiguration) async throws -> JSON {
        do {
            let limit = TimeAmount(configuration.timeLimit * 2)
            let response = try await client.execute(HTTPClientRequest(url: address), timeout: limit)
            guard response.status == .ok else { throw OpenIDError.status(Int(response.status.code)) }
            let body = try await response.body.collect(upTo: configuration.maximumBytes)
            return try JSON(parsing: body.readableBytesView)
        } catch let error as OpenIDError {
            throw error
        } catch let error as JSONError {
            throw OpenIDError.invalidDocument("\(error)")
        } catch is NIOTooManyBytesError {
            throw OpenIDError.tooLarge
        } catch {
            throw OpenIDError.failed("\(error)")
        }
    }
}
