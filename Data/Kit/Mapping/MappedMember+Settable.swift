internal import LarderDomain

extension MappedMember {
    /// The same column, which an update by query may set to any value of its type.
    ///
    /// Such an update calls neither the initializer nor a check of the entity. So a column is settable only if each value is
    /// valid together with all values of other properties, and no derived column and no searched text depends on it. Without
    /// this declaration, an update by query of the property is refused. The parts of an optional value object are never
    /// settable. To days and instants, it may also add an amount.
    public var settable: MappedMember {
        setting { member in
            guard case .column(let column, _, _, _) = kind else { return }
            switch column.type {
            case .day:
                member.validValues = ValidValues(range: (.firstDay, .lastDay), text: "a day of the years 1 to 9999")
            case .timestamp:
                member.validValues = ValidValues(range: (.integer(.min), .integer(.max)), text: "an instant in 64 bits")
            default: member.validValues = ValidValues()
            }
        }
    }

    /// The same column, which an update by query may set to any value in a range, or to `nil` if it is optional. It may also
    /// add an amount, if the sums are in the range. See ``settable``.
    public func settable<V: Comparable & Sendable>(in range: ClosedRange<V>) -> MappedMember {
        setting { member in
            guard case .column(let column, _, _, _) = kind,
                let least = try? column.value(range.lowerBound, as: V.self),
                let greatest = try? column.value(range.upperBound, as: V.self)
            else { return }
            let text = "from \(range.lowerBound) to \(range.upperBound)"
            member.validValues = ValidValues(range: (least, greatest), text: text)
        }
    }
}
