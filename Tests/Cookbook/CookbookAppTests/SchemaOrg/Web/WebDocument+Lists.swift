extension WebDocument {
    static let steps = [
        WebDocument(
            "list of list items",
            #"""
            "recipeInstructions": {"@type": "ItemList", "numberOfItems": 2, "itemListElement": [
              {"@type": "ListItem", "position": 2, "item": {"@type": "HowToStep", "text": "Bake"}},
              {"@type": "ListItem", "position": 1, "item": "Mix"}]}
            """#, "1. Mix; 2. Bake"),
        WebDocument(
            "numbered objects",
            #""recipeInstructions": {"10": "Eat", "1": {"@type": "HowToStep", "text": "Mix"}, "2": {"text": "Bake"}}"#,
            "1. Mix; 2. Bake; 3. Eat"),
        WebDocument(
            "section with text and items",
            #"""
            "recipeInstructions": [{"@type": "HowToSection", "name": "Dough", "text": "Warm everything.",
              "itemListElement": [{"@type": "HowToStep", "text": "Knead"}, {"@type": "HowToStep", "text": "Rest"}]}, "Bake"]
            """#, "1. Warm everything.; 2. Knead; 3. Rest; 4. Bake", notKept: ["recipeInstructions.name"]),
        WebDocument(
            "step of directions",
            #"""
            "recipeInstructions": [{"@type": "HowToStep", "text": "Mix. Bake.", "itemListElement":
              [{"@type": "HowToDirection", "text": "Mix."}, {"@type": "HowToDirection", "text": "Bake."}]}]
            """#, "1. Mix. Bake."),
        WebDocument(
            "positions as texts",
            #""recipeInstructions": [{"text": "Bake", "position": "2"}, {"text": "Mix", "position": "1"}]"#,
            "1. Mix; 2. Bake"),
        WebDocument(
            "positions of some", #""recipeInstructions": [{"text": "Mix", "position": 2}, {"text": "Bake"}]"#,
            "1. Mix; 2. Bake"),
        WebDocument(
            "HTML list", #""recipeInstructions": "<ol><li>Mix</li><li>Bake &amp; cool</li></ol>""#,
            "1. Mix; 2. Bake & cool"),
        WebDocument(
            "HTML list in an array", #""recipeInstructions": ["<p>Mix</p><p>Bake</p>", "Eat"]"#,
            "1. Mix; 2. Bake; 3. Eat"),
        WebDocument(
            "steps with images and timers",
            #"""
            "recipeInstructions": [{"@type": "HowToStep", "@id": "#s1", "name": "Mix", "text": "Mix it", "image": "x.jpg",
              "timeRequired": {"@type": "Duration", "value": "PT90S"}}, {"text": "Wait", "timeRequired": "P40D"}]
            """#, "1. Mix it [90 s]; 2. Wait",
            notKept: ["recipeInstructions.image", "recipeInstructions.timeRequired (not 1 second to 30 days)"]),
        WebDocument(
            "how-to with steps",
            #""recipeInstructions": {"@type": "HowTo", "step": [{"@type": "HowToStep", "text": "Mix"}, "Bake"]}"#,
            "1. Mix; 2. Bake"),
        WebDocument(
            "steps of other kinds", #""recipeInstructions": [null, true, {"@type": "HowToStep"}, "Mix"]"#, "1. Mix",
            notKept: ["recipeInstructions"]),
    ]

    static let ingredients = [
        WebDocument(
            "amounts",
            #"""
            "recipeIngredient": [{"name": "flour", "amount": "200 g"}, {"name": "milk", "amount": {"value": 0.5, "unitText": "l"}},
              {"name": "eggs", "amount": 2}, {"name": "salt", "value": 3, "unitCode": "GRM"}, {"name": "oil"}]
            """#, "- 200 g flour; - 0.5 l milk [0.5 l]; - 2 eggs [2.0]; - 3 g salt [3.0 g]; - oil"),
        WebDocument(
            "supplies",
            #"""
            "recipeIngredient": [{"@type": "HowToSupply", "name": "sugar", "requiredQuantity": {"minValue": 1, "maxValue": 2,
              "unitText": "tsp"}, "image": "x"}, {"text": "1 egg", "name": "egg"}]
            """#, "- 1-2 tsp sugar; - 1 egg", notKept: ["recipeIngredient.image"]),
        WebDocument(
            "nested lists", #""recipeIngredient": [["1 egg", ["salt"]], [{"name": "oil"}], []]"#,
            "- 1 egg; - salt; - oil"),
        WebDocument(
            "list of ingredients",
            #"""
            "recipeIngredient": {"@type": "ItemList", "name": "Dough", "itemListElement": [{"@type": "ListItem", "position": 1,
              "item": {"name": "flour"}}, "water"]}
            """#, "- flour; - water", notKept: ["recipeIngredient.name"]),
        WebDocument(
            "HTML list of ingredients", #""ingredients": "<ul><li>1 egg</li><li>salt</li></ul>""#, "- 1 egg; - salt"),
        WebDocument(
            "ingredients of other kinds", #""recipeIngredient": ["", null, false, {"x": 1}, "salt"]"#, "- salt",
            notKept: ["recipeIngredient"]),
    ]

    static let yields = [
        WebDocument(
            "yield as a range",
            #""recipeYield": {"@type": "QuantitativeValue", "minValue": 2, "maxValue": 3, "unitText": "bowls"}"#,
            "yield 2-3 bowls"),
        WebDocument("yield at least", #""recipeYield": {"minValue": 2}"#, "yield 2+"),
        WebDocument("yield at most", #""recipeYield": [{"maxValue": 6, "unitText": "buns"}, 6]"#, "yield up to 6 buns"),
        WebDocument(
            "yield in a value", #""recipeYield": {"value": {"minValue": 4, "maxValue": 4}, "unitCode": "C62"}"#,
            "yield 4"),
        WebDocument(
            "yield with a name", #""recipeYield": {"name": "a loaf", "image": "x"}"#, "yield a loaf",
            notKept: ["recipeYield.image"]),
        WebDocument(
            "yields", #""yield": [4, "4 people", "8 slices"]"#, "yield 4 people",
            notKept: ["recipeYield (more than one)"]),
        WebDocument("yield as a fraction", #""recipeYield": 2.5"#, "yield 2.5"),
    ]
}
