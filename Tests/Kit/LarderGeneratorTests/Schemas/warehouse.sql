-- A warehouse with views, triggers, generated columns, and indexes of parts and expressions.
CREATE TABLE suppliers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT, rating INTEGER CHECK (rating BETWEEN 1 AND 5));
CREATE TABLE items (id INTEGER PRIMARY KEY, code TEXT NOT NULL UNIQUE, name TEXT NOT NULL, name_length INTEGER AS (length(name)),
    price DECIMAL(9, 2) NOT NULL, currency CHAR(3) NOT NULL DEFAULT 'EUR', extra, supplier_id INTEGER REFERENCES suppliers (id));
CREATE TABLE places (aisle INTEGER NOT NULL, shelf TEXT NOT NULL, capacity INTEGER NOT NULL DEFAULT 100, PRIMARY KEY (aisle, shelf));
CREATE TABLE stock (item_id INTEGER NOT NULL REFERENCES items (id), aisle INTEGER NOT NULL, shelf TEXT NOT NULL, amount INTEGER NOT NULL,
    counted_on DATE, PRIMARY KEY (item_id, aisle, shelf), FOREIGN KEY (aisle, shelf) REFERENCES places (aisle, shelf));
CREATE TABLE deliveries (id INTEGER PRIMARY KEY, supplier_id INTEGER NOT NULL REFERENCES suppliers (id) ON DELETE SET DEFAULT,
    arrived TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, note TEXT DEFAULT 'none');
CREATE TABLE delivery_items (delivery_id INTEGER NOT NULL REFERENCES deliveries (id) ON DELETE CASCADE,
    item_id INTEGER NOT NULL REFERENCES items (id), amount INTEGER NOT NULL, PRIMARY KEY (delivery_id, item_id));
CREATE TABLE substitutes (item_id INTEGER NOT NULL REFERENCES items (id), substitute_id INTEGER NOT NULL REFERENCES items (id),
    PRIMARY KEY (item_id, substitute_id));
CREATE TABLE pickers (badge TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL);
CREATE TABLE picks (id INTEGER PRIMARY KEY, picker TEXT NOT NULL REFERENCES pickers (badge), item_code TEXT NOT NULL REFERENCES items (code),
    amount INTEGER NOT NULL, at TIMESTAMP NOT NULL);
CREATE TABLE price_history (item_id INTEGER NOT NULL REFERENCES items (id), since TIMESTAMP NOT NULL, price DECIMAL(9, 2) NOT NULL,
    PRIMARY KEY (item_id, since));
CREATE UNIQUE INDEX one_email ON suppliers (lower(email));
CREATE INDEX scarce ON stock (item_id) WHERE amount < 10;
CREATE VIEW scarce_items AS SELECT i.code, sum(s.amount) AS amount FROM items i JOIN stock s ON s.item_id = i.id GROUP BY i.code;
CREATE VIEW supplier_names AS SELECT name FROM suppliers;
CREATE TRIGGER note_price AFTER UPDATE OF price ON items BEGIN
    INSERT INTO price_history VALUES (new.id, '2024-01-01', new.price);
END;

INSERT INTO suppliers VALUES (1, 'Nord', 'n@example.org', 5), (2, 'Süd', NULL, NULL);
INSERT INTO items (id, code, name, price, currency, extra, supplier_id) VALUES (1, 'a', 'Bolt', 0.05, 'EUR', 1, 1), (2, 'b', 'Nut ½"', 12, 'DKK', NULL, NULL);
UPDATE items SET price = 0.06 WHERE id = 1;
INSERT INTO places VALUES (1, 'A', 100), (1, 'B', 5);
INSERT INTO stock VALUES (1, 1, 'A', 50, '2024-01-01'), (2, 1, 'A', 3, NULL), (2, 1, 'B', 4, NULL);
INSERT INTO deliveries VALUES (1, 1, '2024-01-01 08:00:00', NULL), (2, 2, '2024-01-02 08:00:00', 'late');
INSERT INTO delivery_items VALUES (1, 1, 50), (2, 2, 7);
INSERT INTO substitutes VALUES (1, 2), (2, 1);
INSERT INTO pickers VALUES ('p1', 'Pia'), ('p2', '');
INSERT INTO picks VALUES (1, 'p1', 'a', 1, '2024-01-03 00:00:00'), (2, 'p2', 'b', 2, '2024-01-03 00:00:01');
