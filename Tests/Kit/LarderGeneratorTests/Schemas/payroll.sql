-- Payroll: employees with a chain of managers, periods with composite keys, and departments that need a head (a cycle without nulls).
CREATE TABLE departments (
    dept_no CHAR(4) PRIMARY KEY NOT NULL,
    dept_name VARCHAR(40) NOT NULL UNIQUE,
    head INTEGER NOT NULL REFERENCES employees (emp_no) DEFERRABLE INITIALLY DEFERRED
);
CREATE TABLE employees (
    emp_no INTEGER PRIMARY KEY,
    birth_date DATE NOT NULL,
    first_name VARCHAR(14) NOT NULL,
    last_name VARCHAR(16) NOT NULL,
    gender TEXT CHECK (gender IN ('M', 'F')),
    hire_date DATE NOT NULL,
    dept_no CHAR(4) NOT NULL REFERENCES departments (dept_no) DEFERRABLE INITIALLY DEFERRED,
    manager INTEGER REFERENCES employees (emp_no) ON DELETE SET NULL
);
CREATE TABLE titles (
    emp_no INTEGER NOT NULL REFERENCES employees (emp_no) ON DELETE CASCADE,
    title VARCHAR(50) NOT NULL,
    from_date DATE NOT NULL,
    to_date DATE,
    PRIMARY KEY (emp_no, title, from_date)
);
CREATE TABLE salaries (
    emp_no INTEGER NOT NULL REFERENCES employees (emp_no) ON DELETE CASCADE,
    from_date DATE NOT NULL,
    to_date DATE NOT NULL,
    amount DECIMAL(15, 4) NOT NULL,
    PRIMARY KEY (emp_no, from_date)
);
CREATE TABLE pay_runs (
    year INTEGER NOT NULL,
    month INTEGER NOT NULL CHECK (month BETWEEN 1 AND 12),
    closed BOOLEAN NOT NULL DEFAULT FALSE,
    closed_at TIMESTAMP,
    PRIMARY KEY (year, month)
);
CREATE TABLE payslips (
    id INTEGER PRIMARY KEY,
    emp_no INTEGER NOT NULL REFERENCES employees (emp_no),
    year INTEGER NOT NULL,
    month INTEGER NOT NULL,
    gross DECIMAL(12, 2) NOT NULL,
    tax DECIMAL(12, 2) NOT NULL DEFAULT 0,
    net DECIMAL(12, 2) AS (gross - tax) STORED,
    FOREIGN KEY (year, month) REFERENCES pay_runs (year, month),
    UNIQUE (emp_no, year, month)
);
CREATE TABLE deductions (
    payslip_id INTEGER NOT NULL REFERENCES payslips (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    amount DECIMAL(12, 2) NOT NULL,
    PRIMARY KEY (payslip_id, kind)
);
CREATE TABLE bank_accounts (
    emp_no INTEGER PRIMARY KEY REFERENCES employees (emp_no) ON DELETE CASCADE,
    iban TEXT NOT NULL UNIQUE
);

BEGIN;
INSERT INTO departments VALUES ('d001', 'Finance', 10001), ('d002', 'R & D', 10003);
INSERT INTO employees VALUES (10001, '1953-09-02', 'Georgi', 'Facello', 'M', '1986-06-26', 'd001', 10003),
    (10002, '1964-06-02', 'Bezalel', 'Simmel', 'F', '1985-11-21', 'd001', 10001),
    (10003, '1959-12-03', 'Parto', 'Bamförd', NULL, '1986-08-28', 'd002', NULL);
COMMIT;
INSERT INTO titles VALUES (10001, 'Senior Engineer', '1986-06-26', NULL), (10002, 'Staff', '1996-08-03', '9999-01-01');
INSERT INTO salaries VALUES (10001, '1986-06-26', '1987-06-26', 60117.1234), (10001, '1987-06-26', '9999-01-01', 62102),
    (10002, '1996-08-03', '1997-08-03', -0.0001);
INSERT INTO pay_runs VALUES (2024, 1, 1, '2024-02-01 00:00:00'), (2024, 2, 0, NULL);
INSERT INTO payslips (id, emp_no, year, month, gross, tax) VALUES (1, 10001, 2024, 1, 5000, 1250.5), (2, 10002, 2024, 1, 4000.1, 0);
INSERT INTO deductions VALUES (1, 'pension', 200), (1, 'Gewerkschaft ü', 12.34);
INSERT INTO bank_accounts VALUES (10001, 'DE00 1234'), (10003, '');
