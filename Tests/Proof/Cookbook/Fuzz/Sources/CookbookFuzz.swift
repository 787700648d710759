#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The decoder that `FUZZ_TARGET` names.
private let decode: @Sendable ([UInt8]) -> Void =
    switch ProcessInfo.processInfo.environment["FUZZ_TARGET"] {
    case "durations": DurationsTarget.decode
    case "recipes": RecipesTarget().decode
    default: fail("FUZZ_TARGET is neither durations nor recipes")
    }

/// Called by libFuzzer, whose `main` the compiler links, with bytes that it invented; `make fuzz` says how it is run.
@_cdecl("LLVMFuzzerTestOneInput")
public func decodeInventedBytes(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    decode(unsafe Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

/// Ends the process, so that libFuzzer keeps the bytes that led here.
func fail(_ message: String) -> Never {
    fatalError(message)
}
