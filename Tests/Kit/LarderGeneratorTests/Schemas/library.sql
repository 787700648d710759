-- A library: books of several authors, copies, loans, and branches with a manager who works in one (a cycle).
CREATE TABLE branches (
    branch_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    manager_id INTEGER REFERENCES staff (staff_id)
);
CREATE TABLE staff (
    staff_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    branch_id INTEGER NOT NULL REFERENCES branches (branch_id),
    hired DATE NOT NULL
);
CREATE TABLE authors (
    author_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    born INTEGER,
    died INTEGER,
    CHECK (died IS NULL OR died >= born)
);
CREATE TABLE publishers (
    name TEXT PRIMARY KEY NOT NULL,
    country CHAR(2) NOT NULL DEFAULT 'DK'
);
CREATE TABLE books (
    isbn TEXT PRIMARY KEY NOT NULL,
    title TEXT NOT NULL,
    publisher TEXT REFERENCES publishers (name) ON UPDATE CASCADE ON DELETE RESTRICT,
    pages INTEGER,
    published DATE,
    cover BLOB
);
CREATE TABLE book_authors (
    isbn TEXT NOT NULL REFERENCES books (isbn) ON DELETE CASCADE,
    author_id INTEGER NOT NULL REFERENCES authors (author_id) ON DELETE CASCADE,
    PRIMARY KEY (isbn, author_id)
);
CREATE TABLE copies (
    barcode TEXT PRIMARY KEY NOT NULL,
    isbn TEXT NOT NULL REFERENCES books (isbn),
    branch_id INTEGER NOT NULL REFERENCES branches (branch_id),
    condition TEXT NOT NULL DEFAULT 'good' CHECK (condition IN ('new', 'good', 'worn'))
);
CREATE TABLE members (
    member_no INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    email TEXT UNIQUE,
    joined DATE NOT NULL DEFAULT CURRENT_DATE,
    fees DECIMAL(8, 2) NOT NULL DEFAULT 0
);
CREATE TABLE loans (
    loan_id INTEGER PRIMARY KEY,
    barcode TEXT NOT NULL REFERENCES copies (barcode),
    member_no INTEGER NOT NULL REFERENCES members (member_no) ON DELETE CASCADE,
    taken TIMESTAMP NOT NULL,
    due DATE NOT NULL,
    returned TIMESTAMP,
    UNIQUE (barcode, taken)
);
CREATE TABLE reservations (
    isbn TEXT NOT NULL REFERENCES books (isbn),
    member_no INTEGER NOT NULL REFERENCES members (member_no),
    made TIMESTAMP NOT NULL,
    PRIMARY KEY (isbn, member_no)
);

INSERT INTO branches VALUES (1, 'Nørrebro', 2), (2, 'Østerbro', NULL), (3, 'Closed', 1);
INSERT INTO staff VALUES (1, 'Ida', 1, '2010-05-01'), (2, 'Bo', 2, '2012-01-31');
INSERT INTO authors VALUES (1, 'Jane Austen', 1775, 1817), (2, '紫式部', NULL, NULL), (3, 'N. N.', -750, NULL);
INSERT INTO publishers VALUES ('Gyldendal', 'DK'), ('T. Egerton', 'GB');
INSERT INTO books VALUES ('978-0', 'Emma', 'T. Egerton', 474, '1815-12-23', x'00'), ('978-1', '源氏物語', NULL, NULL, NULL, NULL);
INSERT INTO book_authors VALUES ('978-0', 1), ('978-1', 2), ('978-1', 3);
INSERT INTO copies VALUES ('c1', '978-0', 1, 'worn'), ('c2', '978-0', 2, 'good'), ('c3', '978-1', 3, 'new');
INSERT INTO members VALUES (1, 'Liv', 'liv@example.org', '2019-01-01', 12.5), (2, 'Kai', NULL, '2020-02-29', -3),
    (3, 'Åse', NULL, '2020-02-29', 0);
INSERT INTO loans VALUES (1, 'c1', 1, '2024-01-01 10:00:00', '2024-01-31', NULL),
    (2, 'c1', 2, '2023-01-01 10:00:00', '2023-01-31', '2023-01-30 18:00:00'), (3, 'c3', 1, '2024-01-01 10:00:00', '2024-01-31', NULL);
INSERT INTO reservations VALUES ('978-0', 2, '2024-01-02 00:00:00');
