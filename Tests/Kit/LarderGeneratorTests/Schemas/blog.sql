-- A blog with tags, drafts that refer to others, and settings with a text key.
CREATE TABLE users (
    id INTEGER PRIMARY KEY,
    username VARCHAR(40) NOT NULL COLLATE NOCASE UNIQUE,
    password_hash CHAR(60) NOT NULL,
    bio TEXT,
    is_active BOOLEAN NOT NULL DEFAULT 1
);
CREATE TABLE posts (
    id INTEGER PRIMARY KEY,
    author_id INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
    title VARCHAR(200) NOT NULL,
    slug VARCHAR(200) NOT NULL UNIQUE,
    body TEXT NOT NULL,
    status TEXT NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'published', 'archived')),
    published_at DATETIME,
    views BIGINT NOT NULL DEFAULT 0,
    CHECK (status <> 'published' OR published_at IS NOT NULL)
);
CREATE TABLE comments (
    id INTEGER PRIMARY KEY,
    post_id INTEGER NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
    author_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
    reply_to INTEGER REFERENCES comments (id) ON DELETE CASCADE,
    body TEXT NOT NULL,
    created_at DATETIME NOT NULL DEFAULT (datetime('now'))
);
CREATE TABLE tags (
    id INTEGER PRIMARY KEY,
    name VARCHAR(50) NOT NULL UNIQUE
);
CREATE TABLE post_tags (
    post_id INTEGER NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
    tag_id INTEGER NOT NULL REFERENCES tags (id) ON DELETE CASCADE,
    PRIMARY KEY (post_id, tag_id)
);
CREATE TABLE followers (
    follower_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    followee_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    PRIMARY KEY (follower_id, followee_id)
);
CREATE TABLE settings (
    key TEXT PRIMARY KEY NOT NULL,
    value TEXT
);
CREATE TABLE "media files" (
    id INTEGER PRIMARY KEY,
    post_id INTEGER REFERENCES posts (id),
    "file name" TEXT NOT NULL,
    "default" BOOLEAN NOT NULL DEFAULT FALSE,
    content BLOB NOT NULL
);

INSERT INTO users VALUES (1, 'ann', 'x', 'Writes.', 1), (2, 'bob', 'y', NULL, 1), (3, 'Zoë', 'z', '', 0);
INSERT INTO posts VALUES
    (1, 1, 'Hello', 'hello', 'First.' || char(10, 10) || 'Second.', 'published', '2023-01-01 10:00:00', 4611686018427387905),
    (2, 1, '"Quoted" & <b>', 'quoted', '', 'draft', NULL, 0), (3, 3, '', 'empty', '🎉', 'archived', '2023-02-01', 3);
INSERT INTO comments VALUES (1, 1, 2, 3, 'Reply to a later one', '2023-01-02 00:00:00'),
    (2, 1, NULL, NULL, 'Anonymous', '2023-01-03 00:00:00'), (3, 1, 1, 2, 'Root?', '2023-01-04 00:00:00.5');
INSERT INTO tags VALUES (1, 'swift'), (2, 'données'), (3, 'C++');
INSERT INTO post_tags VALUES (1, 1), (1, 2), (3, 3);
INSERT INTO followers VALUES (1, 2), (2, 1), (3, 1), (3, 3);
INSERT INTO settings VALUES ('title', 'A blog'), ('empty', ''), ('none', NULL);
INSERT INTO "media files" VALUES (1, 1, 'a b.png', 1, x'89504E47'), (2, NULL, 'ü.gif', 0, x'');
