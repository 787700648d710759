/// Rows of text in columns as wide as their widest cell, or narrower to fit the terminal.
public struct TextTable {
    /// A column: its title, and how its cells are aligned and shortened.
    public struct Column: Sendable {
        let title: String
        let isNumber: Bool
        let isKey: Bool

        /// A column of words; of numbers, which are right-aligned and never shortened; or of keys, which identify rows
        /// in other commands and are shortened last.
        public init(_ title: String, isNumber: Bool = false, isKey: Bool = false) {
            (self.title, self.isNumber, self.isKey) = (title, isNumber, isKey)
        }
    }

    /// The minimum width of a shortened column.
    private static let least = 10
    private static let gap = 2

    private let columns: [Column]
    private var rows: [[String]] = []

    /// Creates a table without rows.
    public init(_ columns: [Column]) {
        self.columns = columns
    }

    /// Adds a row; missing cells are empty, and control characters are escaped.
    public mutating func add(_ cells: [String]) {
        rows.append(cells.map { $0.escapingControls() })
    }

    /// The lines, starting with the titles, without trailing blanks.
    ///
    /// - Parameter width: The available columns; `nil` for unlimited.
    public func lines(fitting width: Int? = nil) -> [String] {
        let all = [columns.map(\.title)] + rows
        let widths = widths(of: all, fitting: width)
        return all.map { cells in
            let padded = zip(columns.indices, cells).map { index, cell in
                let text = cell.shortened(to: widths[index])
                let blanks = String(repeating: " ", count: max(0, widths[index] - text.columns))
                return columns[index].isNumber ? blanks + text : text + blanks
            }
            let line = padded.joined(separator: String(repeating: " ", count: Self.gap))
            return String(line[..<(line.lastIndex { $0 != " " }.map(line.index(after:)) ?? line.startIndex)])
        }
    }

    private func widths(of all: [[String]], fitting limit: Int?) -> [Int] {
        var widths = columns.indices.map { index in
            all.map { $0.indices.contains(index) ? $0[index].columns : 0 }.max() ?? 0
        }
        guard let limit else { return widths }
        let gaps = Self.gap * max(0, columns.count - 1)
        func shrink(_ candidates: [Int]) {
            while widths.reduce(gaps, +) > limit {
                guard let widest = candidates.max(by: { widths[$0] < widths[$1] }), widths[widest] > least(widest)
                else { return }
                widths[widest] -= 1
            }
        }
        func least(_ index: Int) -> Int { max(Self.least, columns[index].title.columns) }
        shrink(columns.indices.filter { !columns[$0].isNumber && !columns[$0].isKey })
        shrink(columns.indices.filter { columns[$0].isKey })
        return widths
    }
}
