#if Postgres
internal import LarderData
internal import LarderDomain
internal import LarderInfrastructure

/// Others' objects that depend on tables and columns of a store: keys, views, triggers, indexes, policies, rules,
/// publications, statistics, functions, and columns.
struct PostgresDependents {
    let connection: PostgresConnection
    /// The tables of the store.
    let relations: [PostgresRelation]

    private struct Dependent {
        let name: String
        let before: String
        let after: String
    }

    /// Throws `incompatible` if an object of others depends on a target, with the statements that remove and restore it.
    ///
    /// - Parameter keysOnly: Tables that remain, and are emptied: only keys that refer to them matter.
    func refuse(
        _ targets: some Collection<PostgresImpact.Target>, keysOnly: [String] = []
    ) throws(PersistencyError) {
        var found = targets.isEmpty ? [] : try find(targets.map { ($0.table, $0.column ?? "") }, keysOnly: false)
        if !keysOnly.isEmpty { found += try find(keysOnly.map { ($0, "") }, keysOnly: true) }
        if found.isEmpty { return }
        func lines(_ statements: [String]) -> String {
            statements.filter { !$0.isEmpty }.map { "\n  \($0.last == ";" ? $0 : $0 + ";")" }.joined()
        }
        throw .incompatible(
            "the tables would lose or change what others have made: \(found.map(\.name).joined(separator: ", ")). "
                + "Remove it before, and create it again afterwards, with the new names.\nBefore:"
                + lines(found.map(\.before)) + "\nAfter:" + lines(found.reversed().map(\.after)))
    }

    private func find(
        _ targets: [(table: String, column: String)], keysOnly: Bool
    ) throws(PersistencyError) -> [Dependent] {
        let place = try connection.execute("SELECT current_schema()::text, current_setting('search_path')")
        guard place.advance() else { return [] }
        let (schema, path) = (place.text(0), place.text(1))
        // Without a search path, all names contain their schema.
        try connection.execute("SELECT set_config('search_path', 'pg_catalog', true)")
        let own = relations.names
        let columns = relations.flatMap { relation in relation.columns.map { (relation.name, $0) } }
        let found = try connection.run(
            Self.query(keysOnly: keysOnly, publishesColumns: connection.serverVersion >= 150_000),
            [
                .text(schema), PostgresArray.texts(targets.map(\.table)), PostgresArray.texts(targets.map(\.column)),
                PostgresArray.texts(own.map(\.table)), PostgresArray.texts(own.map(\.name)),
                PostgresArray.texts(columns.map(\.0)), PostgresArray.texts(columns.map(\.1)),
            ]
        ).map { Dependent(name: $0.text(0), before: $0.text(1), after: $0.text(2)) }
        try connection.run("SELECT set_config('search_path', $1::text, true)", [.text(path)])
        return found
    }

    /// (schema; tables and columns, which are empty for a whole table; tables, and their own constraints and indexes; tables,
    /// and their own columns)
    private static func query(keysOnly: Bool, publishesColumns: Bool) -> String {
        let published =
            publishesColumns
            ? """
            || coalesce((SELECT ' (' || string_agg(quote_ident(attname), ', ' ORDER BY attnum) || ')'
                FROM pg_attribute WHERE attrelid = pr.prrelid AND attnum = ANY (pr.prattrs::int2[])), '')
            || coalesce(' WHERE (' || pg_get_expr(pr.prqual, pr.prrelid) || ')', '')
            """ : ""
        return """
            WITH target AS (
                SELECT c.oid AS rel, c.reltype AS typ, c.relname AS name, a.attnum AS col, named.col = '' AS dropped
                FROM unnest($2::text[], $3::text[]) AS named (tbl, col)
                JOIN pg_class c ON c.relname = tbl
                    AND c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1::text)
                LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = named.col AND NOT a.attisdropped
            ), dependent AS (
                SELECT d.classid, d.objid FROM target t JOIN pg_depend d ON d.refclassid = 'pg_class'::regclass
                    AND d.refobjid = t.rel AND (t.col IS NULL OR d.refobjsubid = t.col)
                    AND NOT (d.classid = 'pg_class'::regclass AND d.objid = t.rel) WHERE d.deptype IN ('n', 'a')
                UNION SELECT d.classid, d.objid FROM target t JOIN pg_depend d ON t.col IS NULL
                    AND d.refclassid = 'pg_type'::regclass AND d.refobjid = t.typ WHERE d.deptype IN ('n', 'a')
            )
            SELECT CASE WHEN r.rulename = '_RETURN' THEN pg_describe_object('pg_class'::regclass, v.oid, 0)
                    ELSE pg_describe_object(d.classid, d.objid, 0) END,
                CASE WHEN r.rulename = '_RETURN' THEN format('DROP %s %s', words.kind, v.oid::regclass)
                    WHEN r.oid IS NOT NULL THEN format('DROP RULE %I ON %s', r.rulename, v.oid::regclass)
                    WHEN k.oid IS NOT NULL THEN format('ALTER TABLE %s DROP CONSTRAINT %I', k.conrelid::regclass, conname)
                    WHEN x.indexrelid IS NOT NULL THEN format('DROP INDEX %s', x.indexrelid::regclass)
                    WHEN g.oid IS NOT NULL THEN format('DROP TRIGGER %I ON %s', tgname, tgrelid::regclass)
                    WHEN p.oid IS NOT NULL THEN format('DROP POLICY %I ON %s', polname, polrelid::regclass)
                    WHEN pr.oid IS NOT NULL THEN format('ALTER PUBLICATION %I DROP TABLE %s', pubname, prrelid::regclass)
                    WHEN s.oid IS NOT NULL THEN format('DROP STATISTICS %s.%I', stxnamespace::regnamespace, stxname)
                    ELSE '' END,
                CASE WHEN r.rulename = '_RETURN' THEN format('CREATE %s %s AS%s', words.kind, v.oid::regclass, pg_get_viewdef(v.oid))
                    WHEN r.oid IS NOT NULL THEN pg_get_ruledef(r.oid)
                    WHEN k.oid IS NOT NULL THEN format(
                        'ALTER TABLE %s ADD CONSTRAINT %I %s', k.conrelid::regclass, conname, pg_get_constraintdef(k.oid))
                    WHEN x.indexrelid IS NOT NULL THEN pg_get_indexdef(x.indexrelid)
                    WHEN g.oid IS NOT NULL THEN pg_get_triggerdef(g.oid)
                    WHEN p.oid IS NOT NULL THEN format(
                        'CREATE POLICY %I ON %s AS %s FOR %s TO %s%s%s', polname, polrelid::regclass,
                        CASE WHEN polpermissive THEN 'PERMISSIVE' ELSE 'RESTRICTIVE' END,
                        CASE polcmd WHEN 'r' THEN 'SELECT' WHEN 'a' THEN 'INSERT' WHEN 'w' THEN 'UPDATE'
                            WHEN 'd' THEN 'DELETE' ELSE 'ALL' END,
                        (SELECT string_agg(CASE role WHEN 0 THEN 'PUBLIC' ELSE role::regrole::text END, ', ')
                            FROM unnest(polroles) AS role),
                        ' USING (' || pg_get_expr(polqual, polrelid) || ')',
                        ' WITH CHECK (' || pg_get_expr(polwithcheck, polrelid) || ')')
                    WHEN pr.oid IS NOT NULL THEN format('ALTER PUBLICATION %I ADD TABLE %s', pubname, prrelid::regclass)
                        \(published)
                    WHEN s.oid IS NOT NULL THEN pg_get_statisticsobjdef(s.oid)
                    ELSE '' END
            FROM dependent d
            LEFT JOIN pg_rewrite r ON d.classid = 'pg_rewrite'::regclass AND r.oid = d.objid
            LEFT JOIN pg_class v ON v.oid = r.ev_class
            LEFT JOIN pg_constraint k ON d.classid = 'pg_constraint'::regclass AND k.oid = d.objid
            LEFT JOIN pg_index x ON d.classid = 'pg_class'::regclass AND x.indexrelid = d.objid
            LEFT JOIN pg_class own ON own.oid = coalesce(k.conrelid, x.indrelid)
            LEFT JOIN pg_class i ON i.oid = x.indexrelid
            LEFT JOIN pg_trigger g ON d.classid = 'pg_trigger'::regclass AND g.oid = d.objid
            LEFT JOIN pg_policy p ON d.classid = 'pg_policy'::regclass AND p.oid = d.objid
            LEFT JOIN pg_publication_rel pr ON d.classid = 'pg_publication_rel'::regclass AND pr.oid = d.objid
            LEFT JOIN pg_publication pub ON pub.oid = pr.prpubid
            LEFT JOIN pg_statistic_ext s ON d.classid = 'pg_statistic_ext'::regclass AND s.oid = d.objid
            LEFT JOIN pg_attrdef f ON d.classid = 'pg_attrdef'::regclass AND f.oid = d.objid
            LEFT JOIN target this ON this.rel = f.adrelid AND (this.col IS NULL OR this.col = f.adnum)
            CROSS JOIN LATERAL (
                SELECT CASE v.relkind WHEN 'm' THEN 'MATERIALIZED VIEW' ELSE 'VIEW' END AS kind) AS words
            WHERE this.rel IS NULL AND k.contype IS DISTINCT FROM 'p' AND k.contype IS DISTINCT FROM 'n'
                AND k.contype IS DISTINCT FROM 't' AND g.tgisinternal IS NOT TRUE
                AND NOT EXISTS (SELECT FROM unnest($4::text[], $5::text[]) AS known (tbl, name)
                    WHERE tbl = own.relname AND name = coalesce(k.conname, i.relname)
                        AND own.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1::text))
                AND (NOT \(keysOnly) OR k.contype = 'f' AND k.confrelid IN (SELECT rel FROM target))
            UNION ALL SELECT pg_describe_object('pg_class'::regclass, t.rel, attnum), '', '' FROM target t
            JOIN pg_attribute ON attrelid = t.rel AND attnum > 0 AND NOT attisdropped
            WHERE dropped AND NOT \(keysOnly) AND NOT EXISTS (
                SELECT FROM unnest($6::text[], $7::text[]) AS known (tbl, col) WHERE tbl = t.name AND col = attname)
            ORDER BY 1
            """
    }
}
#endif
