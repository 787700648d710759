import JWTKit
import LarderHTTP
import Logging

/// Identifies readers by JSON web tokens that another service has signed.
struct JWTAuthenticator: Authenticator {
    struct Claims: JWTPayload {
        let sub: SubjectClaim
        let exp: ExpirationClaim
        var isLibrarian = false

        func verify(using algorithm: some JWTAlgorithm) throws { try exp.verifyNotExpired() }
    }

    let keys: JWTKeyCollection

    func caller(with token: String, logger: Logger) async throws -> Reader? {
        do {
            let claims = try await keys.verify(token, as: Claims.self)
            return Reader(key: claims.sub.value, operatorPermissions: claims.isLibrarian ? [.readMetrics] : [])
        } catch {
            // Not the error itself, which may contain parts of the token.
            logger.notice("token refused", metadata: ["reason": "\((error as? JWTError)?.errorType.description ?? "")"])
            return nil
        }
    }
}
