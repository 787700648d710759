public import ArgumentParser
public import LarderDomain

// Values of the domain as arguments of commands.

extension EntityID: ExpressibleByArgument {}

extension CalendarDay: ExpressibleByArgument {}

extension ExactDecimal: ExpressibleByArgument {}

extension Timestamp: ExpressibleByArgument {
    public init?(argument: String) { self.init(rfc3339: argument) }
}
