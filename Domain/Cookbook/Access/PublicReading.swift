#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import LarderDomain

/// Read access to shared entities: for all callers if reading is open, otherwise for authenticated callers.
struct PublicReading {
    let isAllowed: Bool

    init(_ caller: Caller, isOpen: Bool) {
        isAllowed = isOpen || caller.isKnown
    }

    func visible<E: Entity>() -> [Predicate<E>] { isAllowed ? [] : [#Predicate { _ in false }] }
}
