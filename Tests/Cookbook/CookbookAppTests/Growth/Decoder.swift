/// A decoder of external bytes, with inputs of any size up to its limit.
struct Decoder: CustomStringConvertible, Sendable {
    let description: String
    /// The maximum bytes that it reads.
    let limit: Int
    let inputs: @Sendable (_ bytes: Int) -> [(name: String, bytes: [UInt8])]
    let decode: @Sendable ([UInt8]) -> Void

    /// A decoder whose inputs are the hostile texts, and specific ones.
    init(
        _ description: String, limit: Int, around: (String, String) = ("", ""),
        also own: @escaping @Sendable (Int) -> [(String, String)] = { _ in [] },
        decode: @escaping @Sendable ([UInt8]) -> Void
    ) {
        // Without optimization a megabyte takes seconds.
        self.limit = ThreadTime.isFull ? limit : min(limit, 16_384)
        (self.description, self.decode) = (description, decode)
        inputs = { bytes in
            let hostile = HostileText.all.map { ($0.description, around.0 + $0.text(bytes: bytes) + around.1) }
            return (hostile + own(bytes)).map { ($0.0, Array($0.1.utf8)) }
        }
    }
}
