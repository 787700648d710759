import Crypto
import Foundation
import HummingbirdHTTP2
import NIOSSL
import SwiftASN1
import X509

/// A self-signed certificate for `localhost`, with its key.
struct SelfSigned {
    let certificate: NIOSSLCertificate
    /// The configuration of a server.
    let tls: TLSConfiguration

    init() throws {
        let key = P256.Signing.PrivateKey()
        let name = try DistinguishedName { CommonName("localhost") }
        let certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: .init(key.publicKey),
            notValidBefore: Date(timeIntervalSinceNow: -60), notValidAfter: Date(timeIntervalSinceNow: 3600),
            issuer: name, subject: name, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions { SubjectAlternativeNames([.dnsName("localhost")]) },
            issuerPrivateKey: .init(key))
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        self.certificate = try NIOSSLCertificate(bytes: serializer.serializedBytes, format: .der)
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(self.certificate)],
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(key.derRepresentation), format: .der)))
        tls.minimumTLSVersion = .tlsv12
        self.tls = tls
    }
}
