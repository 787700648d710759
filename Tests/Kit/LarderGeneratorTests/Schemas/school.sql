-- A school, with names in CamelCase, keywords, and names that are not ASCII.
CREATE TABLE Student (StudentID INTEGER PRIMARY KEY, FirstName NVARCHAR(50) NOT NULL, LastName NVARCHAR(50) NOT NULL, BirthDate DATE,
    "Class" INTEGER REFERENCES "Class" (ClassID), Größe REAL);
CREATE TABLE "Class" (ClassID INTEGER PRIMARY KEY, Name NVARCHAR(20) NOT NULL UNIQUE, "operator" TEXT, HeadTeacher INTEGER
    REFERENCES Teacher (TeacherID));
CREATE TABLE Teacher (TeacherID INTEGER PRIMARY KEY, Name NVARCHAR(100) NOT NULL, "Type" TEXT NOT NULL DEFAULT 'full'
    CHECK ("Type" IN ('full', 'part')), Salary MONEY);
CREATE TABLE Subject (Code CHAR(4) PRIMARY KEY NOT NULL, Title TEXT NOT NULL);
CREATE TABLE TeacherSubject (TeacherID INTEGER NOT NULL REFERENCES Teacher, SubjectCode CHAR(4) NOT NULL REFERENCES Subject,
    PRIMARY KEY (TeacherID, SubjectCode));
CREATE TABLE Prerequisite (Subject CHAR(4) NOT NULL REFERENCES Subject (Code), Requires CHAR(4) NOT NULL REFERENCES Subject (Code),
    PRIMARY KEY (Subject, Requires));
CREATE TABLE Prüfung (Nummer INTEGER PRIMARY KEY, Fach CHAR(4) NOT NULL REFERENCES Subject (Code), Datum DATE NOT NULL, Raum TEXT);
CREATE TABLE Grade (StudentID INTEGER NOT NULL REFERENCES Student (StudentID) ON DELETE CASCADE,
    Exam INTEGER NOT NULL REFERENCES Prüfung (Nummer), Points DECIMAL(4,1) NOT NULL, Passed BOOLEAN GENERATED ALWAYS AS (Points >= 50),
    PRIMARY KEY (StudentID, Exam));
CREATE TABLE 部屋 (番号 INTEGER PRIMARY KEY, 名前 TEXT NOT NULL, capacity INT NOT NULL DEFAULT 30);
CREATE TABLE Timetable (ClassID INTEGER NOT NULL REFERENCES "Class" (ClassID), Weekday INTEGER NOT NULL, Hour TIME NOT NULL,
    SubjectCode CHAR(4) NOT NULL REFERENCES Subject (Code), Room INTEGER REFERENCES 部屋 (番号), UNIQUE (ClassID, Weekday, Hour));

INSERT INTO Teacher VALUES (1, 'Frau Müller', 'full', 4200), (2, 'Mr "X"', 'part', NULL);
INSERT INTO "Class" VALUES (1, '5a', 'ok', 1), (2, '5b', NULL, NULL);
INSERT INTO Student VALUES (1, 'Ömer', 'Ak', '2012-02-29', 1, 1.42), (2, '', '', NULL, NULL, NULL), (3, 'Eve', 'O''Neil', '2011-01-01', 2, 1e300);
INSERT INTO Subject VALUES ('MATH', 'Mathematics'), ('PHYS', 'Physics'), ('', 'Nothing');
INSERT INTO TeacherSubject VALUES (1, 'MATH'), (1, 'PHYS'), (2, '');
INSERT INTO Prerequisite VALUES ('PHYS', 'MATH');
INSERT INTO Prüfung VALUES (1, 'MATH', '2024-05-05', NULL), (2, 'PHYS', '2024-05-06', 'Aula');
INSERT INTO Grade (StudentID, Exam, Points) VALUES (1, 1, 99.5), (1, 2, 0), (3, 1, 49.9);
INSERT INTO 部屋 VALUES (101, '音楽室', 25), (102, 'Lab', 12);
INSERT INTO Timetable VALUES (1, 1, '08:00', 'MATH', 101), (1, 1, '09:00', 'PHYS', NULL), (2, 5, '08:00', 'MATH', 102);
