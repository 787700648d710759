// Names that a domain is likely to have. `NamesTests` uses them where the kit's products are imported too, so that a public
// type of the kit with one of these names is ambiguous there and does not compile.

/// A type of a domain.
public enum Account {}
/// A type of a domain.
public enum Address {}
/// A type of a domain.
public enum Category {}
/// A type of a domain.
public enum Change {}
/// A type of a domain.
public enum Contract {}
/// A type of a domain.
public enum Customer {}
/// A type of a domain.
public enum Event {}
/// A type of a domain.
public enum Invoice {}
/// A type of a domain.
public enum Item {}
/// A type of a domain.
public enum Loan {}
/// A type of a domain.
public enum Location {}
/// A type of a domain.
public enum Member {}
/// A type of a domain.
public enum Message {}
/// A type of a domain.
public enum Order {}
/// A type of a domain.
public enum Page {}
/// A type of a domain.
public enum Payment {}
/// A type of a domain.
public enum Product {}
/// A type of a domain.
public enum Role {}
/// A type of a domain.
public enum Session {}
/// A type of a domain.
public enum Status {}
/// A type of a domain.
public enum Token {}
/// A type of a domain.
public enum User {}
