internal import GRDB

/// The database of the service.
enum PeerDatabase {
    /// Opens or creates a database, with Larder's default durability.
    static func open(_ path: String) throws -> DatabasePool {
        let pool = try DatabasePool(path: path)
        // A pool sets NORMAL when it switches to WAL, after `prepareDatabase`.
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        var migrator = DatabaseMigrator()
        migrator.registerMigration("v1") { try $0.execute(sql: tables) }
        try migrator.migrate(pool)
        return pool
    }

    /// Owned rows are clustered by recipe, and each order has its index.
    private static let tables = """
        CREATE TABLE user (id TEXT NOT NULL PRIMARY KEY, isAdmin BOOLEAN NOT NULL) WITHOUT ROWID;
        CREATE TABLE accessToken (
            digest BLOB NOT NULL PRIMARY KEY, userID TEXT NOT NULL REFERENCES user, expiresAt REAL NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE tag (id TEXT NOT NULL PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE recipe (
            id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, name TEXT NOT NULL, foldedName TEXT NOT NULL,
            summary TEXT, author TEXT, published TEXT, difficulty INTEGER NOT NULL, rating INTEGER NOT NULL,
            preparationMinutes INTEGER, cookingMinutes INTEGER, totalMinutes INTEGER, yield TEXT,
            completed BOOLEAN NOT NULL, photo TEXT, sourceIdentifier TEXT UNIQUE, createdAt TEXT NOT NULL,
            owner TEXT REFERENCES user
        ) WITHOUT ROWID;
        CREATE INDEX recipe_name ON recipe (foldedName, id);
        CREATE INDEX recipe_time ON recipe (totalMinutes, foldedName, id);
        CREATE INDEX recipe_rating ON recipe (rating DESC, foldedName, id);
        CREATE INDEX recipe_published ON recipe (published DESC, foldedName, id);
        CREATE TABLE step (
            recipeID TEXT NOT NULL REFERENCES recipe ON DELETE CASCADE, position INTEGER NOT NULL, id TEXT NOT NULL,
            text TEXT NOT NULL, timerSeconds INTEGER, PRIMARY KEY (recipeID, position)
        ) WITHOUT ROWID;
        CREATE TABLE ingredient (
            recipeID TEXT NOT NULL REFERENCES recipe ON DELETE CASCADE, position INTEGER NOT NULL, id TEXT NOT NULL,
            text TEXT NOT NULL, quantity REAL, unit TEXT, brand TEXT, PRIMARY KEY (recipeID, position)
        ) WITHOUT ROWID;
        CREATE TABLE recipeTag (
            recipeID TEXT NOT NULL REFERENCES recipe ON DELETE CASCADE, position INTEGER NOT NULL,
            tagID TEXT NOT NULL REFERENCES tag, PRIMARY KEY (recipeID, position)
        ) WITHOUT ROWID;
        CREATE INDEX recipeTag_tag ON recipeTag (tagID);
        """
}
