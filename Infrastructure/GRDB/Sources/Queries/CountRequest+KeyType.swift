internal import LarderData

extension CountRequest {
    var keyType: ColumnType {
        switch key {
        case .column(let index): schema.columns[index].type
        case .link: .id
        case .childCount: .integer
        }
    }
}
