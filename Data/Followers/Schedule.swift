public import LarderDomain

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The instants at which recurring work is due: its ticks, which are the same in all processes.
public struct Schedule: Sendable, Hashable {
    private enum Kind: Hashable {
        case interval(microseconds: Int64)
        case day(second: Int64, TimeZone)
    }

    private let kind: Kind

    /// Every multiple of an interval since 1970, of at least a millisecond: 5 minutes are 00:00, 00:05 and so on in UTC.
    public static func interval(_ interval: Duration) -> Schedule {
        let microseconds = Timestamp(microseconds: 0).adding(interval).microseconds
        return Schedule(kind: .interval(microseconds: max(1000, microseconds)))
    }

    /// Every number of minutes, at least 1; see ``interval(_:)``.
    public static func minutes(_ minutes: Int) -> Schedule { interval(.seconds(60 * max(1, Int64(clamping: minutes)))) }

    /// Every day at a local time: on a day without it, at the end of the gap; on a day with it twice, at the first one.
    public static func day(at hour: Int, _ minute: Int = 0, in zone: TimeZone) -> Schedule {
        let minutes = min(max(0, hour), 23) * 60 + min(max(0, minute), 59)
        return Schedule(kind: .day(second: Int64(minutes) * 60, zone))
    }

    /// The last tick until an instant.
    public func tick(until now: Timestamp) -> Timestamp {
        switch kind {
        case .interval(let interval):
            let rest = now.microseconds % interval
            return Timestamp(microseconds: now.microseconds - (rest < 0 ? rest + interval : rest))
        case .day(let second, let zone):
            guard let today = CalendarDay(now, in: zone) else { return now }
            let tick = today.instant(ofSecond: second, in: zone)
            if tick <= now { return tick }
            return today.adding(days: -1)?.instant(ofSecond: second, in: zone) ?? now
        }
    }
}
