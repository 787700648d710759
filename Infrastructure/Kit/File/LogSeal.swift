internal import LarderData
internal import LarderDomain

/// The cipher of a sealed log, and the end of its chain of records.
///
/// A sealed log starts with a plain head, from which the key is derived. The content of each later record is sealed, and
/// bound to its kind, its number, its log, and the tag of the record before it, so that records cannot be changed,
/// omitted, repeated or exchanged undetected.
struct LogSeal: Sendable {
    /// The format in the plain head. The sealed records have the ordinary format.
    static let format: UInt64 = 6
    private static let checkSize = 32

    private let cipher: any Cipher
    private let parameters: [UInt8]
    /// The last bytes of the preceding record.
    private var tag: ArraySlice<UInt8> = []

    /// A seal with a new key.
    init(_ sealing: FileStore.Sealing) throws(PersistencyError) {
        parameters = sealing.derivation.newParameters()
        cipher = try sealing.cipher(parameters)
    }

    /// The content of a new log's plain head: the format, the parameters of the key, and a check value, with which the
    /// chain begins.
    mutating func start(salt: UInt64) -> ValueWriter {
        var writer = ValueWriter.record
        writer.append(fixed: UInt32(truncatingIfNeeded: Self.format))
        writer.append(parameters.count)
        writer.append(content: parameters[...])
        tag = check(salt)[...]
        writer.append(content: tag)
        return writer
    }

    /// Whether the content of a log's first record is the plain head of a sealed log.
    static func begins(_ content: ValueReader) -> Bool {
        var content = content
        return (try? content.fixed(bytes: 4)) == format
    }

    /// Reads a plain head; `nil` if it is malformed. Throws `unavailable` with a ``PassphraseError`` for a missing or wrong
    /// passphrase.
    init?(
        _ head: ValueReader, salt: UInt64, path: String, _ sealing: FileStore.Sealing?
    ) throws(PersistencyError) {
        var reader = head
        guard Self.begins(head), (try? reader.fixed(bytes: 4)) != nil, let count = try? reader.count(),
            count == reader.rest.count - Self.checkSize
        else { return nil }
        guard let sealing else { throw .passphrase(.missing, path) }
        parameters = Array(reader.rest.prefix(count))
        cipher = try sealing.cipher(parameters, of: path)
        tag = reader.rest.dropFirst(count)
        guard tag.elementsEqual(check(salt)) else { throw .passphrase(.wrong, path) }
    }

    /// Seals the content of the next record.
    mutating func seal(
        _ content: consuming ValueWriter, _ kind: RecordFrame.Kind, number: UInt64, salt: UInt64
    ) throws(PersistencyError) -> ValueWriter {
        do throws(CipherError) {
            let sealed = try cipher.seal(Array(content.content), boundTo: context(kind, number, salt))
            tag = sealed.suffix(cipher.overhead)
            var writer = ValueWriter.record
            writer.append(content: sealed[...])
            return writer
        } catch {
            throw .failed("a record cannot be sealed: \(error)", cause: error)
        }
    }

    /// Opens the content of the next record.
    mutating func open(_ content: ValueReader, _ frame: RecordFrame) throws(CipherError) -> ValueReader {
        let sealed = Array(content.rest)
        let plain = try cipher.open(sealed, boundTo: context(frame.kind, frame.number, frame.salt))
        tag = sealed.suffix(cipher.overhead)
        return ValueReader(plain)
    }

    private func context(_ kind: RecordFrame.Kind, _ number: UInt64, _ salt: UInt64) -> [UInt8] {
        var context = [kind.rawValue]
        context.append(bigEndian: number)
        context.append(bigEndian: salt)
        return context + tag
    }

    private func check(_ salt: UInt64) -> [UInt8] {
        var context = Array("log".utf8)
        context.append(bigEndian: salt)
        return cipher.hash(parameters, boundTo: context)
    }
}

extension FileStore.Sealing {
    fileprivate func cipher(_ parameters: [UInt8], of path: String? = nil) throws(PersistencyError) -> any Cipher {
        do throws(CipherError) {
            return try derivation.cipher(for: passphrase, parameters)
        } catch {
            throw .failed("\(path.map { $0 + ": " } ?? "")the key cannot be derived: \(error)", cause: error)
        }
    }
}
