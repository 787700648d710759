internal import LarderData
internal import LarderDomain

extension ValueLaws {
    static let text: [Law] = [
        Law(.values, "Text is read back byte for byte, whatever it contains") { trial in
            let texts = [
                "", " ", "\r\n", "\n\r\t", "it's \"quoted\"", "'; DROP TABLE specimen; --", "100% _under_ \\back\\",
                "Grüße, Öl & Café", "日本語の本", "שלום עולם", "👩‍👩‍👧‍👦🏳️‍🌈🇩🇪", "\u{1}\u{7F}\u{80}", "\u{FEFF}mark",
                "\u{10FFFF}", "? ?1 :name @name $name",
            ]
            for text in texts {
                var specimen = try trial.specimen()
                (specimen.text, specimen.maybeText) = (text, text)
                try await trial.roundTrip(specimen)
                let stored = try await trial.manager.require(specimen.id).text
                try expect("the bytes of the text", Array(stored.utf8), is: Array(text.utf8))
            }
        }.tests("value.1"),
        Law(.values, "Text of a million characters is read back") { trial in
            var specimen = try trial.specimen()
            specimen.text = String(repeating: "0123456789abcdeé", count: 62_500)
            try await trial.roundTrip(specimen)
        }.tests("value.1"),
        Law(.values, "Text is stored in its canonical composition") { trial in
            var specimen = try trial.specimen()
            (specimen.text, specimen.maybeText) = ("Cafe\u{301} A\u{30A}", "\u{212B}")
            try await trial.manager.create(specimen)
            let stored = try await trial.manager.require(specimen.id)
            try expect("the bytes of the text", Array(stored.text.utf8), is: Array("Café Å".utf8))
            try expect("the bytes of the other text", stored.maybeText.map { Array($0.utf8) }, is: [0xC3, 0x85])
        }.tests("create.2"),
        Law(.values, "A write returns the same entity as a read") { trial in
            var specimen = try trial.specimen()
            (specimen.text, specimen.maybeText) = ("Cafe\u{301} A\u{30A}", "\u{212A}")
            (specimen.real, specimen.maybeReal) = (-0.0, -0.0)
            let given = specimen
            func expectKept(_ returned: Stored<Specimen>, _ manager: any PersistencyManager) async throws {
                let read = try await manager.require(specimen.id)
                try expect("the returned entity", returned, is: read)
                for (returned, read) in [(returned.text, read.text), (returned.maybeText ?? "", read.maybeText ?? "")] {
                    try expect("the bytes of the text", Array(returned.utf8), is: Array(read.utf8))
                }
                try expect("the sign of the number", returned.real.sign, is: read.real.sign)
                try expect("the sign of the other number", returned.maybeReal?.sign, is: read.maybeReal?.sign)
            }
            try await expectKept(try await trial.manager.create(specimen), trial.manager)
            try await expectKept(try await trial.manager.update(specimen).stored, trial.manager)
            specimen.text = "The\u{301}"
            try await expectKept(try await trial.manager.update(specimen).stored, trial.manager)
            specimen.text = "Pate\u{301}"
            try await expectKept(try await trial.manager.save(specimen).stored, trial.manager)
            try await trial.manager.transaction { manager in
                specimen.text = "Soufflé"
                try await expectKept(try await manager.update(specimen).stored, manager)
                specimen.text = given.text
                try await expectKept(try await manager.save(specimen).stored, manager)
                try await manager.delete(specimen.id)
            }
            try await trial.manager.transaction { manager in
                try await expectKept(try await manager.create(given), manager)
            }
        }.tests("create.2"),
        Law(.values, "Text with U+0000 is refused, naming the field") { trial in
            var specimen = try trial.specimen()
            specimen.text = "before\u{0}after"
            let field = try await invalidField(of: "storing U+0000") { try await trial.manager.create(specimen) }
            try expect("the field", field.field, is: "text")
            try await trial.expectAbsent(specimen.id)
        }.tests("create.5", "error.8", "invalid.3"),
        Law(.values, "Texts that differ only in case, or in spaces, remain different") { trial in
            for text in ["Salt", "salt", "SALT", " salt", "salt "] {
                var specimen = try trial.specimen()
                specimen.text = text
                try await trial.roundTrip(specimen)
            }
        }.tests("value.1"),
    ]
}
