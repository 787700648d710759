-- A forum with trees: boards, posts with parents, private messages, groups in groups.
CREATE TABLE members (
    id INTEGER PRIMARY KEY,
    handle TEXT NOT NULL UNIQUE,
    invited_by INTEGER REFERENCES members (id),
    reputation INTEGER NOT NULL DEFAULT 0,
    last_seen DATETIME
);
CREATE TABLE boards (
    id INTEGER PRIMARY KEY,
    parent INTEGER REFERENCES boards (id) ON DELETE CASCADE,
    slug TEXT NOT NULL,
    position INTEGER NOT NULL,
    UNIQUE (parent, slug)
);
CREATE TABLE threads (
    id INTEGER PRIMARY KEY,
    board_id INTEGER NOT NULL REFERENCES boards (id),
    starter_id INTEGER REFERENCES members (id) ON DELETE SET NULL,
    first_post INTEGER UNIQUE REFERENCES posts (id),
    subject TEXT NOT NULL,
    is_locked BOOLEAN NOT NULL DEFAULT 0
);
CREATE TABLE posts (
    id INTEGER PRIMARY KEY,
    thread_id INTEGER NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
    parent_id INTEGER REFERENCES posts (id),
    author_id INTEGER REFERENCES members (id) ON DELETE SET NULL,
    body TEXT NOT NULL,
    posted DATETIME NOT NULL
);
CREATE TABLE likes (
    post_id INTEGER NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
    member_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
    PRIMARY KEY (post_id, member_id)
);
CREATE TABLE groups (
    name TEXT PRIMARY KEY NOT NULL,
    "group" TEXT REFERENCES groups (name)
);
CREATE TABLE group_members (
    name TEXT NOT NULL REFERENCES groups (name) ON DELETE CASCADE,
    member_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
    PRIMARY KEY (name, member_id)
);
CREATE TABLE messages (
    id INTEGER PRIMARY KEY,
    sender INTEGER NOT NULL REFERENCES members (id),
    "to" INTEGER NOT NULL REFERENCES members (id),
    text TEXT NOT NULL,
    sent DATETIME NOT NULL,
    in_reply_to INTEGER REFERENCES messages (id)
);
CREATE TABLE bans (
    member_id INTEGER PRIMARY KEY REFERENCES members (id) ON DELETE CASCADE,
    until DATE,
    reason TEXT
);

INSERT INTO members VALUES (1, 'root', NULL, 4611686018427387904, NULL), (2, 'ann', 3, -5, '2024-01-01 00:00:00'), (3, 'bøb', 1, 0, NULL);
INSERT INTO boards VALUES (1, 3, 'swift', 1), (2, 1, 'server', 2), (3, NULL, 'all', 0), (4, NULL, 'all', 1);
INSERT INTO threads VALUES (1, 2, 2, 2, 'Hello', 0), (2, 3, NULL, NULL, '', 1);
INSERT INTO posts VALUES (1, 1, 2, 3, 'An answer', '2024-01-01 00:00:01'), (2, 1, NULL, 2, 'A question?', '2024-01-01 00:00:00'),
    (3, 1, 1, NULL, '', '2024-01-01 00:00:02');
WITH RECURSIVE n (i) AS (SELECT 4 UNION ALL SELECT i + 1 FROM n WHERE i < 1300)
INSERT INTO posts SELECT i, 1, CASE WHEN i < 1300 THEN i + 1 END, 1 + i % 3, 'Post ' || i, datetime('2024-01-02', i || ' seconds') FROM n;
INSERT INTO likes VALUES (1, 2), (1, 3), (2, 1);
INSERT INTO groups VALUES ('b', 'a'), ('a', NULL), ('c d', 'b');
INSERT INTO group_members VALUES ('a', 1), ('c d', 3), ('c d', 2);
INSERT INTO messages VALUES (1, 1, 2, 'Re: hi', '2024-01-01 00:00:01', 2), (2, 2, 1, 'hi', '2024-01-01 00:00:00', NULL);
INSERT INTO bans VALUES (3, '2030-01-01', NULL);
