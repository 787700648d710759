extension String {
    /// The nearest word by edit distance; `nil` if the distance exceeds a limit, by default one letter in three.
    func nearest(of words: [String], within limit: Int? = nil) -> String? {
        let limit = limit ?? max(1, count / 3)
        let near = words.map { (word: $0, distance: distance(to: $0)) }.filter { $0.distance <= limit }
        return near.min { $0.distance < $1.distance }?.word
    }

    /// The edit distance: the minimum number of characters to change, insert or delete.
    private func distance(to other: String) -> Int {
        var row = Array(0...other.count)
        for (index, character) in self.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (column, wanted) in other.enumerated() {
                let change = diagonal + (character == wanted ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = Swift.min(change, diagonal + 1, row[column] + 1)
            }
        }
        return row[other.count]
    }
}
