#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension RawID {
    /// The bits of a UUID.
    public init(_ uuid: UUID) {
        (high, low) = unsafe withUnsafeBytes(of: uuid.uuid) {
            unsafe (
                UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)),
                UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
    }
}

extension UUID {
    /// The UUID with the bits of an id.
    public init(_ id: RawID) {
        self.init(uuid: unsafe unsafeBitCast((id.high.bigEndian, id.low.bigEndian), to: uuid_t.self))
    }
}
