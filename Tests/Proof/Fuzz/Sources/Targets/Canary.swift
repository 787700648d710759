/// A decoder with a planted trap: if the fuzzer does not find it, its results are meaningless.
enum Canary {
    static func decode(_ bytes: [UInt8]) {
        guard bytes.count > 5 else { return }
        if bytes[0] == UInt8(ascii: "t"), bytes[1] == UInt8(ascii: "r"), bytes[2] == UInt8(ascii: "a"),
            bytes[3] == UInt8(ascii: "p")
        {
            fail("the trap that was set")
        }
    }
}
