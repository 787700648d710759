#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Grouping where Key == CalendarDay {
    /// Groups by the day of an instant, in UTC, or by a day; entities with `nil` are in no group.
    public static func day<V: CalendarValue>(of keyPath: any KeyPath<E, V> & Sendable) -> Grouping {
        Grouping(keyPath: keyPath, unit: .day)
    }

    /// Groups by the month of an instant, in UTC, or of a day; the key is the first day of the month.
    public static func month<V: CalendarValue>(of keyPath: any KeyPath<E, V> & Sendable) -> Grouping {
        Grouping(keyPath: keyPath, unit: .month)
    }

    /// Groups by the year of an instant, in UTC, or of a day; the key is the first day of the year.
    public static func year<V: CalendarValue>(of keyPath: any KeyPath<E, V> & Sendable) -> Grouping {
        Grouping(keyPath: keyPath, unit: .year)
    }
}

/// A unit of the calendar.
package enum CalendarUnit: Sendable {
    case day, month, year
}

/// A type of properties that have a day: instants and days.
public protocol CalendarValue {}

extension CalendarDay: CalendarValue {}
extension Timestamp: CalendarValue {}
extension Date: CalendarValue {}
extension Optional: CalendarValue where Wrapped: CalendarValue {}
