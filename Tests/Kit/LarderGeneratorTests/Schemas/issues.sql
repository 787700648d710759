-- An issue tracker: projects and members, issues with a number in each project, labels, and a table without a key.
CREATE TABLE accounts (
    login TEXT PRIMARY KEY NOT NULL,
    display_name TEXT NOT NULL,
    joined DATE NOT NULL
);
CREATE TABLE projects (
    key TEXT PRIMARY KEY NOT NULL CHECK (length(key) BETWEEN 2 AND 10),
    name TEXT NOT NULL,
    lead TEXT REFERENCES accounts (login)
);
CREATE TABLE project_members (
    project TEXT NOT NULL REFERENCES projects (key) ON DELETE CASCADE,
    account TEXT NOT NULL REFERENCES accounts (login) ON DELETE CASCADE,
    role TEXT NOT NULL DEFAULT 'member' CHECK (role IN ('member', 'admin')),
    UNIQUE (project, account)
);
CREATE TABLE milestones (
    id INTEGER PRIMARY KEY,
    project TEXT NOT NULL REFERENCES projects (key),
    title TEXT NOT NULL,
    due DATE
);
CREATE TABLE issues (
    project TEXT NOT NULL REFERENCES projects (key) ON UPDATE CASCADE,
    number INTEGER NOT NULL,
    title TEXT NOT NULL,
    body TEXT NOT NULL DEFAULT '',
    priority TEXT NOT NULL DEFAULT 'normal' CHECK (priority IN ('low', 'normal', 'high', 'in progress')),
    reporter TEXT NOT NULL REFERENCES accounts (login),
    assignee TEXT REFERENCES accounts (login) ON DELETE SET NULL,
    milestone INTEGER REFERENCES milestones (id),
    parent_project TEXT,
    parent_number INTEGER,
    estimate NUMERIC(5, 1),
    closed_at TIMESTAMP,
    PRIMARY KEY (project, number),
    FOREIGN KEY (parent_project, parent_number) REFERENCES issues (project, number)
);
CREATE TABLE labels (
    name TEXT PRIMARY KEY NOT NULL,
    color CHAR(6) NOT NULL DEFAULT 'cccccc'
);
CREATE TABLE issue_labels (
    project TEXT NOT NULL,
    number INTEGER NOT NULL,
    label TEXT NOT NULL REFERENCES labels (name) ON DELETE CASCADE,
    PRIMARY KEY (project, number, label),
    FOREIGN KEY (project, number) REFERENCES issues (project, number) ON DELETE CASCADE
);
CREATE TABLE comments (
    id INTEGER PRIMARY KEY,
    project TEXT NOT NULL,
    number INTEGER NOT NULL,
    author TEXT NOT NULL REFERENCES accounts (login),
    text TEXT NOT NULL,
    written TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
    FOREIGN KEY (project, number) REFERENCES issues (project, number) ON DELETE CASCADE
);
CREATE TABLE attachments (
    id INTEGER PRIMARY KEY,
    comment INTEGER NOT NULL REFERENCES comments (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    size INTEGER NOT NULL,
    bytes BLOB
);
CREATE TABLE changes (
    id INTEGER PRIMARY KEY,
    project TEXT NOT NULL,
    number INTEGER NOT NULL,
    field TEXT NOT NULL,
    old TEXT,
    "new" TEXT,
    FOREIGN KEY (project, number) REFERENCES issues (project, number)
);
CREATE TABLE votes (
    project TEXT NOT NULL,
    number INTEGER NOT NULL,
    account TEXT NOT NULL
);
CREATE UNIQUE INDEX open_milestones ON milestones (project) WHERE due IS NULL;

INSERT INTO accounts VALUES ('ann', 'Ann', '2020-01-01'), ('bob', 'Bob "B" O''Neil', '2021-12-31');
INSERT INTO projects VALUES ('CORE', 'Core', 'ann'), ('WEB', 'Web', NULL);
INSERT INTO project_members VALUES ('CORE', 'ann', 'admin'), ('CORE', 'bob', 'member'), ('WEB', 'bob', 'member');
INSERT INTO milestones VALUES (1, 'CORE', '1.0', '2024-06-30'), (2, 'CORE', 'Später', NULL);
INSERT INTO issues VALUES
    ('CORE', 1, 'Crash', '', 'high', 'ann', 'bob', 1, 'CORE', 2, 2.5, NULL),
    ('CORE', 2, 'Epic', 'With children', 'normal', 'bob', NULL, NULL, NULL, NULL, NULL, '2024-01-01 00:00:00'),
    ('WEB', 1, 'Same number', '', 'in progress', 'bob', 'bob', NULL, 'CORE', 1, 0, NULL);
INSERT INTO labels VALUES ('bug', 'ff0000'), ('näht', 'cccccc');
INSERT INTO issue_labels VALUES ('CORE', 1, 'bug'), ('CORE', 1, 'näht'), ('WEB', 1, 'bug');
INSERT INTO comments VALUES (1, 'CORE', 1, 'bob', 'Me too', '2024-01-02 03:04:05'), (2, 'WEB', 1, 'ann', '', '2024-01-02 03:04:06');
INSERT INTO attachments VALUES (1, 1, 'log.txt', 3, x'616263'), (2, 1, 'none', 0, NULL);
INSERT INTO changes VALUES (1, 'CORE', 1, 'title', NULL, 'Crash'), (2, 'CORE', 1, 'title', 'a', '');
INSERT INTO votes VALUES ('CORE', 1, 'ann'), ('CORE', 1, 'ann');
