#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import LarderDomain

/// Reading what belongs to all: everybody may while reading is open, and everybody who is known when it is closed.
struct PublicReading {
    let isAllowed: Bool

    init(_ caller: Caller, isOpen: Bool) {
        isAllowed = isOpen || caller.isKnown
    }

    func visible<E: Entity>() -> [Predicate<E>] { isAllowed ? [] : [#Predicate { _ in false }] }
}
