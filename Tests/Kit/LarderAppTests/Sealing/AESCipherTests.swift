import Foundation
import LarderApp
import LarderData
import LarderDecorators
import Testing

@Suite("AES-GCM and the texts of its keys")
struct AESCipherTests {
    private let key = [UInt8](0..<32)

    @Test func `opens its sealed values, only with the same context and key`() throws {
        let cipher = try AESCipher(key: key)
        let sealed = try cipher.seal([1, 2, 3], boundTo: [9])
        #expect(sealed.count == 3 + cipher.overhead)
        #expect(try cipher.open(sealed, boundTo: [9]) == [1, 2, 3])
        #expect(try cipher.seal([1, 2, 3], boundTo: [9]) != sealed)
        #expect(throws: CipherError.self) { try cipher.open(sealed, boundTo: [8]) }
        #expect(throws: CipherError.self) { try cipher.open([1, 2], boundTo: [9]) }
        #expect(throws: CipherError.self) { try AESCipher(key: key.reversed()).open(sealed, boundTo: [9]) }
        #expect(throws: CipherError.self) { try AESCipher(key: [1]) }
    }

    @Test func `a key is derived from the passphrase and the parameters, at a limited cost`() throws {
        let derivation = ScryptDerivation(logN: 10)
        let (horse, battery) = (try Passphrase("correct horse"), try Passphrase("battery staple"))
        let parameters = derivation.newParameters()
        #expect(parameters != derivation.newParameters() && parameters.count <= 64)
        let sealed = try derivation.cipher(for: horse, parameters).seal([1, 2, 3], boundTo: [])
        // The parameters contain the cost.
        #expect(try ScryptDerivation().cipher(for: horse, parameters).open(sealed, boundTo: []) == [1, 2, 3])
        for cipher in [
            try derivation.cipher(for: battery, parameters),
            try derivation.cipher(for: horse, derivation.newParameters()),
        ] {
            #expect(throws: CipherError.self) { try cipher.open(sealed, boundTo: []) }
        }
        for (place, value) in [(0, 2), (1, 0), (1, 25), (1, 255), (2, 0), (2, 255), (3, 0), (3, 255)] as [(Int, UInt8)]
        {
            var changed = parameters
            changed[place] = value
            if place > 1 { changed[1] = 20 }
            #expect(throws: CipherError.self) { try derivation.cipher(for: horse, changed) }
        }
        #expect(throws: CipherError.self) { try derivation.cipher(for: horse, Array(parameters.dropLast())) }
    }

    @Test func `hashes depend on the key, the context and the bytes`() throws {
        let cipher = try AESCipher(key: key)
        #expect(cipher.hash([1, 2], boundTo: [3]) == cipher.hash([1, 2], boundTo: [3]))
        let others = [
            cipher.hash([2], boundTo: [3, 1]), cipher.hash([1, 2], boundTo: [4]),
            try AESCipher(key: key.reversed()).hash([1, 2], boundTo: [3]),
        ]
        #expect(!others.contains(cipher.hash([1, 2], boundTo: [3])) && others[0].count == 32)
    }

    @Test func `keys are base64 or hexadecimal, and an error names the line without the key`() throws {
        let base64 = Data(key).base64EncodedString()
        let digits = key.map { String(format: "%02x", $0) }.joined()
        _ = try SealingKeys(text: "# keys\n\nk2 \(base64)\nk1\t\(digits)\nequality \(base64)\n", source: "keys")
        let faults: [(text: String, place: String)] = [
            ("k1 \(base64)\nk2", "keys, line 2"), ("k1 \(base64.dropLast(4))", "keys, line 1"),
            ("k1 \(digits.dropLast())", "keys, line 1"), ("\(base64) k1", "keys, line 1"),
            ("\(digits) \(base64)", "keys, line 1"), ("k1 \(base64)\n\nk1 \(digits)", "keys:"),
            ("k1 \(digits) \(base64)", "keys, line 1"), ("", "keys has no sealing key"),
            ("equality \(base64)", "keys has no sealing key"),
            ("k1 \(digits)\nequality \(base64)\nequality \(base64)", "keys, line 3"),
        ]
        for fault in faults {
            let failure = #expect(throws: CommandFailure.self) { try SealingKeys(text: fault.text, source: "keys") }
            let message = try #require(failure?.message)
            #expect(message.contains(fault.place), "\(message)")
            #expect(!message.contains(base64.prefix(12)) && !message.contains(digits.prefix(12)))
        }
    }

    @Test func `a key file that others can read is refused`() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "larder-keys-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(throws: CommandFailure.self) { try SealingKeys.read(file: path) }
        try "k1 \(Data(key).base64EncodedString())\n".write(toFile: path, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        let failure = #expect(throws: CommandFailure.self) { try SealingKeys.read(file: path) }
        #expect(failure?.message.contains("other users") == true)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        _ = try SealingKeys.read(file: path)
    }
}
