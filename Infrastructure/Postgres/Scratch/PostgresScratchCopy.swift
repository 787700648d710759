#if Postgres
internal import LarderData
internal import LarderInfrastructure

/// Copies all tables of a PostgreSQL schema to a new one, with their constraints and indexes.
enum PostgresScratchCopy {
    static func statements(from name: String, to other: String) -> String {
        let texts = [name, other].map { PostgresDialect().constant(.text($0)) }
        return """
            CREATE SCHEMA \(SQLText.quoted(other));
            DO $copy$
            DECLARE
                source text := quote_ident(\(texts[0]));
                target text := quote_ident(\(texts[1]));
                item record;
            BEGIN
                FOR item IN SELECT quote_ident(relname) AS name FROM pg_class
                    WHERE relkind = 'r' AND relnamespace = source::regnamespace LOOP
                    EXECUTE format('CREATE TABLE %s.%s (LIKE %s.%2$s INCLUDING DEFAULTS INCLUDING IDENTITY)', target, item.name, source);
                    EXECUTE format('INSERT INTO %s.%s SELECT * FROM %s.%2$s', target, item.name, source);
                END LOOP;
                FOR item IN SELECT quote_ident(c.relname) AS name, quote_ident(conname) AS key,
                    pg_get_constraintdef(k.oid) AS definition
                    FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
                    WHERE connamespace = source::regnamespace ORDER BY contype = 'f' LOOP
                    EXECUTE format('ALTER TABLE %s.%s ADD CONSTRAINT %s %s', target, item.name, item.key,
                        replace(item.definition, source || '.', target || '.'));
                END LOOP;
                FOR item IN SELECT pg_get_indexdef(i.indexrelid) AS definition
                    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
                    WHERE relnamespace = source::regnamespace
                    AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'x')) LOOP
                    EXECUTE replace(item.definition, source || '.', target || '.');
                END LOOP;
                PERFORM setval(
                    pg_get_serial_sequence(target || '.\(PostgresJournal.table)', 'position'),
                    nextval(pg_get_serial_sequence(source || '.\(PostgresJournal.table)', 'position')));
            END $copy$
            """
    }
}
#endif
