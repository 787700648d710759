-- A music shop with composite keys in three levels, after the tables of well-known samples.
CREATE TABLE [Artist] ([ArtistId] INTEGER PRIMARY KEY NOT NULL, [Name] NVARCHAR(120));
CREATE TABLE [Album] ([ArtistId] INTEGER NOT NULL, [AlbumNo] INTEGER NOT NULL, [Title] NVARCHAR(160) NOT NULL,
    PRIMARY KEY ([ArtistId], [AlbumNo]), FOREIGN KEY ([ArtistId]) REFERENCES [Artist] ([ArtistId]) ON DELETE NO ACTION);
CREATE TABLE [MediaType] ([MediaTypeId] INTEGER PRIMARY KEY NOT NULL, [Name] NVARCHAR(120));
CREATE TABLE [Genre] ([GenreId] INTEGER PRIMARY KEY NOT NULL, [Name] NVARCHAR(120));
CREATE TABLE [Track] ([ArtistId] INTEGER NOT NULL, [AlbumNo] INTEGER NOT NULL, [TrackNo] INTEGER NOT NULL, [Name] NVARCHAR(200) NOT NULL,
    [MediaTypeId] INTEGER NOT NULL REFERENCES [MediaType] ([MediaTypeId]), [GenreId] INTEGER REFERENCES [Genre] ([GenreId]),
    [Composer] NVARCHAR(220), [Milliseconds] INTEGER NOT NULL, [Bytes] INTEGER, [UnitPrice] NUMERIC(10,2) NOT NULL,
    PRIMARY KEY ([ArtistId], [AlbumNo], [TrackNo]), FOREIGN KEY ([ArtistId], [AlbumNo]) REFERENCES [Album] ([ArtistId], [AlbumNo]));
CREATE TABLE [Playlist] ([PlaylistId] INTEGER PRIMARY KEY NOT NULL, [Name] NVARCHAR(120));
CREATE TABLE [PlaylistTrack] ([PlaylistId] INTEGER NOT NULL REFERENCES [Playlist] ([PlaylistId]), [ArtistId] INTEGER NOT NULL,
    [AlbumNo] INTEGER NOT NULL, [TrackNo] INTEGER NOT NULL, PRIMARY KEY ([PlaylistId], [ArtistId], [AlbumNo], [TrackNo]),
    FOREIGN KEY ([ArtistId], [AlbumNo], [TrackNo]) REFERENCES [Track] ([ArtistId], [AlbumNo], [TrackNo]));
CREATE TABLE [Employee] ([EmployeeId] INTEGER PRIMARY KEY NOT NULL, [LastName] NVARCHAR(20) NOT NULL, [FirstName] NVARCHAR(20) NOT NULL,
    [ReportsTo] INTEGER REFERENCES [Employee] ([EmployeeId]), [BirthDate] DATETIME, [HireDate] DATETIME);
CREATE TABLE [Customer] ([CustomerId] INTEGER PRIMARY KEY NOT NULL, [FirstName] NVARCHAR(40) NOT NULL, [Email] NVARCHAR(60) NOT NULL,
    [Country] NVARCHAR(40), [SupportRepId] INTEGER REFERENCES [Employee] ([EmployeeId]));
CREATE TABLE [Invoice] ([InvoiceId] INTEGER PRIMARY KEY NOT NULL, [CustomerId] INTEGER NOT NULL REFERENCES [Customer] ([CustomerId]),
    [InvoiceDate] DATETIME NOT NULL, [Total] NUMERIC(10,2) NOT NULL);
CREATE TABLE [InvoiceLine] ([InvoiceLineId] INTEGER PRIMARY KEY NOT NULL, [InvoiceId] INTEGER NOT NULL REFERENCES [Invoice] ([InvoiceId]),
    [ArtistId] INTEGER NOT NULL, [AlbumNo] INTEGER NOT NULL, [TrackNo] INTEGER NOT NULL, [UnitPrice] NUMERIC(10,2) NOT NULL,
    [Quantity] INTEGER NOT NULL, FOREIGN KEY ([ArtistId], [AlbumNo], [TrackNo]) REFERENCES [Track] ([ArtistId], [AlbumNo], [TrackNo]));
CREATE INDEX [IFK_InvoiceCustomerId] ON [Invoice] ([CustomerId]);

INSERT INTO [Artist] VALUES (1, 'AC/DC'), (2, 'Antônio Carlos Jobim'), (3, NULL);
INSERT INTO [Album] VALUES (1, 1, 'For Those About To Rock We Salute You'), (1, 2, 'Let There Be Rock'), (2, 1, 'Warner 25 Anos');
INSERT INTO [MediaType] VALUES (1, 'MPEG'), (2, NULL);
INSERT INTO [Genre] VALUES (1, 'Rock'), (2, 'Jazz');
INSERT INTO [Track] VALUES (1, 1, 1, 'For Those', 1, 1, 'Angus Young, Malcolm Young', 343719, 11170334, 0.99),
    (1, 1, 2, 'Put The Finger On You', 1, 1, NULL, 205662, 4611686018427387904, 0.99), (2, 1, 1, 'Desafinado', 2, NULL, '', 185338, NULL, 1.29);
INSERT INTO [Playlist] VALUES (1, 'Music'), (2, 'Empty');
INSERT INTO [PlaylistTrack] VALUES (1, 1, 1, 1), (1, 2, 1, 1);
INSERT INTO [Employee] VALUES (1, 'Adams', 'Andrew', 3, '1962-02-18 00:00:00', '2002-08-14 00:00:00'),
    (2, 'Edwards', 'Nancy', 1, NULL, NULL), (3, 'Peacock', 'Jane', NULL, '1973-08-29 00:00:00', NULL);
INSERT INTO [Customer] VALUES (1, 'Luís', 'luis@example.org', 'Brazil', 3), (2, 'Leonie', 'leonie@example.org', NULL, NULL);
INSERT INTO [Invoice] VALUES (1, 2, '2009-01-01 00:00:00', 1.98), (2, 1, '2009-01-02 00:00:00', 0);
INSERT INTO [InvoiceLine] VALUES (1, 1, 1, 1, 1, 0.99, 1), (2, 1, 1, 1, 2, 0.99, 1), (3, 2, 2, 1, 1, 1.29, 0);
