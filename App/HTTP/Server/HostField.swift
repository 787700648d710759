internal import LarderDomain

/// The syntax of `Host`: a name or address, and an optional port (RFC 9110, section 7.2).
enum HostField {
    static func isValid(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        let end: Int
        if bytes.first == UInt8(ascii: "[") {
            guard let bracket = bytes.firstIndex(of: UInt8(ascii: "]")), bracket > 1 else { return false }
            guard bytes[1..<bracket].allSatisfy({ $0.hexadecimalValue != nil || $0 == 0x3a || $0 == 0x2e }) else {
                return false
            }
            end = bracket + 1
        } else {
            end = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
            guard end > 0, bytes[..<end].allSatisfy(isName) else { return false }
        }
        let port = bytes[end...]
        guard !port.isEmpty else { return true }
        guard port.first == UInt8(ascii: ":") else { return false }
        let digits = port.dropFirst()
        return digits.isEmpty
            || digits.allSatisfy { (0x30...0x39).contains($0) }
                && UInt16(String(decoding: digits, as: UTF8.self)) != nil
    }

    private static func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
        default: false
        }
    }
}
