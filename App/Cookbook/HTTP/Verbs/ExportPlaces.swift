internal import HTTPTypes
internal import LarderApp
private import Synchronization

/// Bounds how many exports are being sent at once: each holds a page of recipes for as long as its client takes, and
/// counts no longer among the requests in flight.
final class ExportPlaces: Sendable {
    /// The right to send one export, given back by whoever has sent it or lets go of it unsent.
    final class Place: Sendable {
        private let places: ExportPlaces
        private let isTaken = Atomic(true)

        fileprivate init(in places: ExportPlaces) {
            self.places = places
        }

        deinit { leave() }

        /// Gives the place back, once.
        func leave() {
            if isTaken.exchange(false, ordering: .relaxed) { places.taken.subtract(1, ordering: .relaxed) }
        }
    }

    private let bound: Int
    private let taken = Atomic(0)

    init(_ bound: Int) {
        self.bound = bound
    }

    /// Takes a place.
    ///
    /// - Throws: `Problem` with 503 where there is none.
    func take() throws(Problem) -> Place {
        // Whoever is refused leaves, too.
        let place = Place(in: self)
        guard taken.add(1, ordering: .relaxed).newValue <= bound else {
            throw Problem(.overloaded, "As many exports are being sent as may be.", headers: [.retryAfter: "5"])
        }
        return place
    }
}
