import LarderDomain
@testable import LarderInfrastructureTests

/// The defects of a file store that the proof must detect.
enum Mistake: String, CaseIterable, Sendable {
    // Calls that are missing, late, or in the wrong order.
    case noSyncOfLog = "the log is not synced"
    case noSyncOfDraft = "a new log is not synced before it takes the place of the old one"
    case noSyncOfFolders = "no folder is synced"
    case noSyncAfterRename = "the folder is not synced after a new log took its place"
    case noSyncAfterRemoval = "the folder is not synced after the marker was removed"
    case noSyncBeforeRewriting = "the folder is not synced before a log without a marker is written anew"
    case noSyncOfParent = "the folder above the store's is not synced"
    case acknowledgesBeforeSync = "a commit is acknowledged before the sync"
    case opensBeforeSync = "a store is open before its folder is synced"
    case syncsBeforeWrite = "the sync comes before the write"
    case renamesBeforeSync = "a new log takes its place before it is synced"
    case overwrites = "a new log is written over the old one"
    case removesBeforeRename = "the old log is removed before the new one takes its place"
    case staleDraftStays = "a new log is written over a draft that was there"
    case markerStays = "the marker is not removed before a record is added"
    case markerGoesLate = "the marker is removed after the record is on the device"
    case markerInLog = "the marker stands at the end of the log"
    case noLock = "no lock is taken"
    // Failures that are ignored or mishandled.
    case retriesSync = "a sync that failed is tried again"
    case retriesInterruptedSync = "an interrupted sync is tried again"
    case ignoresFailedSync = "a sync that failed is taken for one that did not"
    case goesOnAfterFailedSync = "a sync that failed is taken for a write that failed"
    case ignoresFailedWrite = "a write that failed is taken for one that did not"
    case ignoresShortWrite = "a short write is taken for a whole one"
    case noCutBack = "what a failed write left is not cut back"
    case noSyncOfCutBack = "what was cut back is not synced"
    // Bytes that are not checked.
    case noChecksum = "checksums of records are not compared"
    case noChecksumOfMarker = "the checksum of the marker is not compared"
    case noSaltCompared = "salts are not compared"
    case noNumbers = "numbers of records and commits are not compared"
    case noLookBeyond = "nobody looks beyond a bad record"
    case noFormat = "the format is not compared"
    case noCap = "the length of a record is believed before it was looked at"
    case emptyIsNew = "an empty file is taken for nothing"
    case replacesAnything = "whatever stands in the log's place is replaced"
    // Salts.
    case noSalt = "all logs have the same salt"
    // Openings.
    case repairsInPlace = "a torn log is cut in place and not written anew"
    case overwritesTorn = "a torn log is overwritten with what could be read"
    case removesTorn = "a torn log is removed before the one without its tail is there"
    case noSyncOfRecovered = "what was recovered from a torn log is not synced"
    case takesUnclosed = "a log that was not closed is taken as it is"
    case tornAfterClose = "a torn log is accepted after a clean close"
    case markerOfAnyLog = "a marker counts by its length alone"
    case markerOfOldLog = "the marker stays when a log is written anew"
    case damageIsNew = "a damaged log is replaced by an empty one"
    case locksLate = "a draft is removed before the lock is taken"

    /// How the defect is injected.
    enum Means: String, Sendable {
        /// The file system under the store makes different calls.
        case calls
        /// The file system under the store returns different bytes.
        case bytes
        /// A copy of the opening procedure has one wrong step.
        case opening
        case salt
    }

    var means: Means {
        switch self {
        case .noSalt: .salt
        case .repairsInPlace, .overwritesTorn, .removesTorn, .noSyncOfRecovered, .takesUnclosed, .tornAfterClose,
            .markerOfAnyLog, .markerOfOldLog, .damageIsNew,
            .locksLate, .noSyncBeforeRewriting:
            .opening
        case .noChecksum, .noChecksumOfMarker, .noSaltCompared, .noNumbers, .noLookBeyond, .noFormat: .bytes
        default: .calls
        }
    }
}

extension ProofSubject {
    /// The store with a defect.
    init(_ mistake: Mistake) {
        self.init()
        name = mistake.rawValue
        switch mistake.means {
        case .calls, .bytes: fileSystem = { MistakenFileSystem($0, mistake) }
        case .opening:
            open = { (opening, place) throws(PersistencyError) in
                try MistakenOpening(opening: opening, place: place, mistake: mistake).open()
            }
        case .salt: salt = { _ in 7 }
        }
    }
}
