import LarderData
import Testing

struct BoundedCacheTests {
    @Test func `a kept value remains until it is removed or replaced`() {
        var cache = BoundedCache<String, Int>(bytes: 1000)
        cache.keep(1, bytes: 1, for: "a")
        cache.keep(2, bytes: 1, for: "b")
        cache.keep(3, bytes: 1, for: "a")
        #expect(cache.value(for: "a") == 3)
        cache.removeValue(for: "a")
        #expect(cache.value(for: "a") == nil && cache.value(for: "b") == 2)
        cache.removeAll()
        #expect(cache.value(for: "b") == nil)
    }

    @Test func `it keeps values up to its size, and requested values remain`() {
        var cache = BoundedCache<Int, Int>(bytes: 1000)
        cache.keep(0, bytes: 10, for: 0)
        for number in 1...1000 {
            cache.keep(number, bytes: 10, for: number)
            #expect(cache.value(for: 0) == 0)
        }
        let held = (0...1000).filter { cache.value(for: $0) != nil }
        #expect(held.count > 50 && held.count <= 100)
        // The last entry is present.
        #expect(held.suffix(20) == Array(981...1000)[...])
    }

    @Test func `a value that would replace many is not kept, nor the value that it replaces`() {
        var cache = BoundedCache<Int, Int>(bytes: 6400)
        cache.keep(1, bytes: 100, for: 1)
        cache.keep(2, bytes: 101, for: 1)
        #expect(cache.value(for: 1) == nil)
    }

    @Test func `a value that is removed from one generation leaves space for others`() {
        var cache = BoundedCache<Int, Int>(bytes: 6400)
        for number in 1...10_000 {
            cache.keep(number, bytes: 100, for: number)
            cache.removeValue(for: number)
        }
        for number in 1...32 { cache.keep(number, bytes: 100, for: number) }
        #expect((1...32).allSatisfy { cache.value(for: $0) == $0 })
    }
}
