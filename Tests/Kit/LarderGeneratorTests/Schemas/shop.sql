-- A shop: money, states, an order with lines of a composite key, and addresses of one customer.
CREATE TABLE customers (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    email VARCHAR(255) NOT NULL UNIQUE,
    full_name TEXT NOT NULL,
    phone TEXT,
    is_vip BOOLEAN NOT NULL DEFAULT 0,
    created_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE TABLE addresses (
    id INTEGER PRIMARY KEY,
    customer_id INTEGER NOT NULL REFERENCES customers (id) ON DELETE CASCADE,
    kind TEXT NOT NULL DEFAULT 'home' CHECK (kind IN ('home', 'work', 'billing')),
    street TEXT NOT NULL,
    city TEXT NOT NULL,
    zip_code CHAR(10)
);
CREATE TABLE categories (
    id INTEGER PRIMARY KEY,
    parent_id INTEGER REFERENCES categories (id) ON DELETE SET NULL,
    name TEXT NOT NULL UNIQUE
);
CREATE TABLE products (
    sku TEXT PRIMARY KEY NOT NULL,
    name TEXT NOT NULL,
    description TEXT NOT NULL DEFAULT '',
    price DECIMAL(10, 2) NOT NULL CHECK (price >= 0),
    weight REAL,
    in_stock INTEGER NOT NULL DEFAULT 0,
    photo BLOB,
    released DATE
);
CREATE TABLE product_categories (
    product_sku TEXT NOT NULL REFERENCES products (sku) ON DELETE CASCADE,
    category_id INTEGER NOT NULL REFERENCES categories (id) ON DELETE CASCADE,
    PRIMARY KEY (product_sku, category_id)
);
CREATE TABLE orders (
    id INTEGER PRIMARY KEY,
    number TEXT NOT NULL UNIQUE,
    customer_id INTEGER NOT NULL REFERENCES customers (id),
    ship_to INTEGER REFERENCES addresses (id) ON DELETE SET NULL,
    state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'paid', 'shipped', 'cancelled')),
    placed_at DATETIME NOT NULL,
    total NUMERIC(12, 2) NOT NULL DEFAULT 0.00
);
CREATE TABLE order_lines (
    order_id INTEGER NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
    line_no INTEGER NOT NULL,
    product_sku TEXT NOT NULL REFERENCES products (sku),
    quantity INTEGER NOT NULL DEFAULT 1,
    unit_price DECIMAL(10, 2) NOT NULL,
    PRIMARY KEY (order_id, line_no)
) WITHOUT ROWID;
CREATE TABLE coupons (
    code TEXT PRIMARY KEY NOT NULL,
    percent INTEGER NOT NULL,
    expires DATE
);
CREATE INDEX orders_by_day ON orders (placed_at);

INSERT INTO customers VALUES
    (1, 'ann@example.org', 'Ann Ørsted', NULL, 1, '2024-02-29 12:00:00'),
    (2, 'bob@example.org', '李 小龙', '+49 30 1234', 0, '2024-03-01 00:00:00.25'),
    (4611686018427387904, 'max@example.org', '', '', 0, '2023-12-31T23:59:59Z');
INSERT INTO addresses VALUES (1, 1, 'home', 'Gamle vej 1', 'København', '2100'), (2, 1, 'work', '  spaced  ', '', NULL),
    (3, 2, 'billing', 'Line one' || char(10) || 'line two', 'Berlin', '10115     ');
INSERT INTO categories VALUES (1, 3, 'Lamps'), (2, 1, 'Desk lamps'), (3, NULL, 'Home'), (4, 2, 'Émaillé "LED"');
INSERT INTO products VALUES
    ('L-1', 'Lamp', 'It''s bright', 19.9, 0.1, 4, x'00FF10', '2020-02-29'),
    ('L-2', 'Lamp II', '', 1234567.05, 0.30000000000000004, -1, x'', NULL),
    ('ß/ü 3', 'e' || char(769) || 't', 'tab' || char(9) || 'x', 0, 5e-324, 9223372036854775807, NULL, '0001-01-01');
INSERT INTO product_categories VALUES ('L-1', 2), ('L-1', 4), ('L-2', 1);
INSERT INTO orders VALUES (1, 'A-1', 1, 1, 'open', '2024-04-01 08:30:00', 39.8), (2, 'A-2', 2, NULL, 'shipped', '2024-04-02', 0),
    (3, 'A-3', 4611686018427387904, 3, 'paid', '1969-07-20 20:17:40.123456', 99999999.99);
INSERT INTO order_lines VALUES (1, 1, 'L-1', 2, 19.9), (2, 1, 'L-2', 1, 5), (2, 2, 'ß/ü 3', 0, 0.01), (3, 1, 'L-1', 1, 19.9);
INSERT INTO coupons VALUES ('SPRING', 10, '2024-05-31'), ('', 0, NULL);
