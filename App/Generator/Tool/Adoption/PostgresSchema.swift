/// The schema of a PostgreSQL database: its first schema in the search path, usually `public`.
enum PostgresSchema {
    /// A `SourceSchema` in JSON.
    static let query = """
        WITH tables AS (SELECT c.oid, c.relname FROM pg_class c
            WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition),
        names AS (SELECT a.attrelid, a.attnum, a.attname FROM pg_attribute a)
        SELECT json_build_object(
          'tables', coalesce((SELECT json_agg(json_build_object(
            'name', t.relname,
            'columns', coalesce((SELECT json_agg(json_build_object(
                'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod), 'isNullable', NOT a.attnotnull,
                'isGenerated', a.attgenerated <> '',
                'initial', CASE WHEN a.attgenerated = '' AND a.attidentity = '' THEN pg_get_expr(d.adbin, d.adrelid) END,
                'cases', (SELECT json_agg(e.enumlabel ORDER BY e.enumsortorder) FROM pg_enum e WHERE e.enumtypid = a.atttypid)
              ) ORDER BY a.attnum) FROM pg_attribute a
              LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
              WHERE a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped), '[]'),
            'key', coalesce((SELECT json_agg(n.attname ORDER BY k.place) FROM pg_index i,
                unnest(i.indkey::int[]) WITH ORDINALITY k(number, place), names n
                WHERE i.indrelid = t.oid AND i.indisprimary AND n.attrelid = t.oid AND n.attnum = k.number), '[]'),
            'indexes', coalesce((SELECT json_agg(json_build_object(
                'name', i.indexrelid::regclass::text, 'isUnique', i.indisunique, 'isPartial', i.indpred IS NOT NULL,
                'isFolded', false,
                'columns', (SELECT json_agg(n.attname ORDER BY k.place)
                    FROM unnest(i.indkey::int[]) WITH ORDINALITY k(number, place)
                    LEFT JOIN names n ON n.attrelid = t.oid AND n.attnum = k.number WHERE k.place <= i.indnkeyatts)
              ) ORDER BY i.indexrelid::regclass::text) FROM pg_index i WHERE i.indrelid = t.oid AND NOT i.indisprimary), '[]'),
            'references', coalesce((SELECT json_agg(json_build_object(
                'table', f.relname, 'onDelete', \(action("r.confdeltype")), 'onUpdate', \(action("r.confupdtype")),
                'columns', (SELECT json_agg(n.attname ORDER BY k.place) FROM unnest(r.conkey) WITH ORDINALITY k(number, place)
                    JOIN names n ON n.attrelid = t.oid AND n.attnum = k.number),
                'targets', (SELECT json_agg(n.attname ORDER BY k.place) FROM unnest(r.confkey) WITH ORDINALITY k(number, place)
                    JOIN names n ON n.attrelid = r.confrelid AND n.attnum = k.number)) ORDER BY r.conkey)
              FROM pg_constraint r JOIN pg_class f ON f.oid = r.confrelid WHERE r.conrelid = t.oid AND r.contype = 'f'), '[]'),
            'checks', coalesce((SELECT json_agg(pg_get_constraintdef(k.oid) ORDER BY k.conname)
              FROM pg_constraint k WHERE k.conrelid = t.oid AND k.contype IN ('c', 'x')), '[]')
          ) ORDER BY t.oid) FROM tables t), '[]'),
          'others', coalesce((SELECT json_agg(o.what ORDER BY o.what) FROM (
            SELECT CASE relkind WHEN 'v' THEN 'view ' WHEN 'm' THEN 'materialized view ' ELSE 'foreign table ' END || relname AS what
              FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('v', 'm', 'f')
            UNION ALL SELECT 'trigger ' || g.tgname FROM pg_trigger g JOIN tables t ON t.oid = g.tgrelid WHERE NOT g.tgisinternal
            UNION ALL SELECT 'rule ' || r.rulename FROM pg_rewrite r JOIN tables t ON t.oid = r.ev_class
          ) o), '[]'))
        """

    private static func action(_ column: String) -> String {
        "CASE \(column) WHEN 'c' THEN 'CASCADE' WHEN 'n' THEN 'SET NULL' WHEN 'd' THEN 'SET DEFAULT' ELSE 'NO ACTION' END"
    }
}
