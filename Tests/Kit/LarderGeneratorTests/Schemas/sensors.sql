-- Sensors: large numbers, measured values, JSON, and a table of raw values without a key.
CREATE TABLE sites (
    id BIGINT PRIMARY KEY,
    name TEXT NOT NULL,
    latitude DOUBLE PRECISION NOT NULL,
    longitude DOUBLE PRECISION NOT NULL,
    area GEOMETRY
);
CREATE TABLE sensor_types (
    code TEXT PRIMARY KEY NOT NULL,
    unit TEXT NOT NULL,
    minimum REAL,
    maximum REAL
);
CREATE TABLE sensors (
    serial TEXT PRIMARY KEY NOT NULL,
    uuid UUID NOT NULL UNIQUE,
    site_id BIGINT NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
    type TEXT NOT NULL REFERENCES sensor_types (code),
    config JSON,
    installed DATE,
    is_active BOOLEAN NOT NULL DEFAULT TRUE
);
CREATE TABLE readings (
    sensor TEXT NOT NULL REFERENCES sensors (serial) ON DELETE CASCADE,
    taken_at TIMESTAMP NOT NULL,
    value REAL NOT NULL,
    quality INTEGER NOT NULL DEFAULT 100,
    PRIMARY KEY (sensor, taken_at)
) WITHOUT ROWID;
CREATE TABLE hourly (
    sensor TEXT NOT NULL REFERENCES sensors (serial),
    hour TIMESTAMP NOT NULL,
    average REAL,
    count INTEGER NOT NULL,
    PRIMARY KEY (sensor, hour)
);
CREATE TABLE alarms (
    id INTEGER PRIMARY KEY,
    sensor TEXT NOT NULL REFERENCES sensors (serial),
    raised_at TIMESTAMP NOT NULL,
    cleared_at TIMESTAMP,
    level INTEGER NOT NULL DEFAULT 1 CHECK (level IN (1, 2, 3)),
    message TEXT NOT NULL DEFAULT ''
);
CREATE TABLE firmwares (
    version TEXT PRIMARY KEY NOT NULL,
    released TIMESTAMP NOT NULL,
    image BLOB NOT NULL,
    checksum BIGINT NOT NULL
);
CREATE TABLE sensor_firmwares (
    sensor TEXT NOT NULL REFERENCES sensors (serial) ON DELETE CASCADE,
    version TEXT NOT NULL REFERENCES firmwares (version) ON DELETE CASCADE,
    UNIQUE (sensor, version)
);
CREATE TABLE maintenance (
    id INTEGER PRIMARY KEY,
    site_id BIGINT REFERENCES sites (id),
    planned DATE NOT NULL,
    cost DECIMAL(9, 3),
    note TEXT
);
CREATE TABLE calibrations (
    at REAL PRIMARY KEY,
    factor REAL NOT NULL
);

INSERT INTO sites VALUES (4611686018427387904, 'Roof', 55.676111111111112, 12.568333, NULL), (-1, 'Cellar', -90, 1e-10, x'0101');
INSERT INTO sensor_types VALUES ('temp', '°C', -40, 85), ('hum', '%', 0, 100), ('x', '', NULL, NULL);
INSERT INTO sensors VALUES
    ('s-1', '0190f3a2-7c4e-7d1b-8a5f-3e2d1c0b9a87', 4611686018427387904, 'temp', '{"rate": 1.50, "tags": ["ä"]}', '2022-01-01', 1),
    ('s-2', '0190F3A2-7C4E-7D1B-8A5F-3E2D1C0B9A88', -1, 'hum', NULL, NULL, 0);
INSERT INTO readings VALUES ('s-1', '2024-01-01 00:00:00', 21.5, 100), ('s-1', '2024-01-01 00:00:00.000001', 0.1, 100),
    ('s-1', '2024-01-01 00:01:00', 1.7976931348623157e308, 99), ('s-2', '2024-01-01 00:00:00', -0.0, 0);
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
INSERT INTO readings SELECT 's-2', datetime('2024-02-01', i || ' minutes'), i / 7.0, i % 101 FROM n;
INSERT INTO hourly VALUES ('s-1', '2024-01-01 00:00:00', NULL, 3), ('s-2', '2024-01-01 01:00:00', 0.3333333333333333, 1);
INSERT INTO alarms VALUES (1, 's-1', '2024-01-01 00:01:00', NULL, 3, 'Too hot 🔥'), (2, 's-1', '2024-01-02', '2024-01-03T00:00:00+01:00', 1, '');
INSERT INTO firmwares VALUES ('1.0', '2021-01-01', x'DEADBEEF', -9223372036854775808), ('1.1', '2022-01-01', x'', 9223372036854775807);
INSERT INTO sensor_firmwares VALUES ('s-1', '1.0'), ('s-1', '1.1'), ('s-2', '1.0');
INSERT INTO maintenance VALUES (1, -1, '2024-06-01', 1200.125, NULL), (2, NULL, '2024-07-01', NULL, 'later');
INSERT INTO calibrations VALUES (1.5, 0.99);
