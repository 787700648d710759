import Foundation
import LarderHTTP
import Testing

struct DashboardTests {
    private struct Dashboard: Decodable {
        struct Panel: Decodable {
            struct Target: Decodable { let expr: String }
            let title: String
            let targets: [Target]
        }
        let panels: [Panel]
    }

    @Test func `each panel of the dashboard shows metrics of the kit`() throws {
        let root = URL(filePath: #filePath).pathComponents.dropLast(6).joined(separator: "/")
        let data = try Data(contentsOf: URL(filePath: "\(root)/docs/dashboard.json"))
        let dashboard = try JSONDecoder().decode(Dashboard.self, from: data)
        #expect(dashboard.panels.count == 10)
        for panel in dashboard.panels {
            let names = panel.targets.flatMap { target in
                target.expr.matches(of: /(http|db_client|store|follower|log)_[a-z_]+/).map { String($0.output.0) }
            }.filter { !["http_route", "http_response_status_code"].contains($0) }
            #expect(!names.isEmpty, "\(panel.title)")
            for name in names {
                let metric = name.replacing(/_(bucket|count)$/, with: "")
                #expect(PrometheusMetrics.kitHelp[metric] != nil, "\(panel.title): \(name)")
            }
        }
    }
}
