internal import Crypto
internal import Foundation
internal import GRDB
internal import HTTPTypes
internal import Hummingbird

/// Finds the user of a bearer token, or rejects the request with 401.
struct TokenMiddleware: RouterMiddleware {
    let pool: DatabasePool

    func handle(
        _ request: Request, context: PeerContext, next: (Request, PeerContext) async throws -> Response
    ) async throws -> Response {
        guard let field = request.headers[.authorization], field.hasPrefix("Bearer ") else { throw Self.rejection }
        let digest = AccessToken.digest(field.dropFirst("Bearer ".count))
        let user = try await pool.read { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT user.* FROM accessToken JOIN user ON user.id = accessToken.userID
                    WHERE digest = ? AND expiresAt > ?
                    """)
            return try User.fetchOne(statement, arguments: [digest, Date.now.timeIntervalSince1970])
        }
        guard let user else { throw Self.rejection }
        var context = context
        context.user = user
        return try await next(request, context)
    }

    private static let rejection = HTTPError(
        .unauthorized, headers: [.wwwAuthenticate: "Bearer"], message: "a valid token is required")
}

/// A user who may change recipes.
struct User: Codable, FetchableRecord, PersistableRecord, Sendable {
    let id: String
    let isAdmin: Bool

    func mayChange(_ recipe: Recipe) -> Bool { isAdmin || recipe.owner == id }
}

/// A token, of which only the digest is stored.
struct AccessToken: Codable, PersistableRecord {
    let digest: Data
    let userID: String
    let expiresAt: Double

    static func digest(_ token: some StringProtocol) -> Data { Data(SHA256.hash(data: Data(token.utf8))) }

    /// Creates an admin with a token that is valid for a day.
    ///
    /// - Returns: The token.
    static func createAdmin(in pool: DatabasePool) throws -> String {
        let admin = User(id: newID(), isAdmin: true)
        let token = SymmetricKey(size: .bits256).withUnsafeBytes { Data($0).base64EncodedString() }
        let expiry = Date.now.timeIntervalSince1970 + 86_400
        try pool.write { database in
            try admin.insert(database)
            try AccessToken(digest: digest(token), userID: admin.id, expiresAt: expiry).insert(database)
        }
        return token
    }
}

func newID() -> String { UUID().uuidString.lowercased() }
