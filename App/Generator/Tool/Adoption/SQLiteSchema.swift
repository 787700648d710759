/// The schema of a SQLite database.
enum SQLiteSchema {
    /// A `SourceSchema` in JSON. `json(…)` around a subquery keeps its result from becoming a text.
    static let query = """
        SELECT json_object(
          'tables', json((SELECT json_group_array(json_object(
            'name', m.name, 'sql', m.sql,
            'columns', json((SELECT json_group_array(json_object(
                'name', c.name, 'type', c.type, 'isNullable', json(iif(c."notnull" OR c.pk, 'false', 'true')),
                'initial', c.dflt_value, 'isGenerated', json(iif(c.hidden IN (2, 3), 'true', 'false'))))
              FROM pragma_table_xinfo(m.name) c WHERE c.hidden <> 1)),
            'key', json((SELECT json_group_array(name) FROM (
                SELECT name FROM pragma_table_xinfo(m.name) WHERE pk > 0 ORDER BY pk))),
            'indexes', json((SELECT json_group_array(json_object(
                'name', i.name, 'isUnique', json(iif(i."unique", 'true', 'false')),
                'isPartial', json(iif(i.partial, 'true', 'false')),
                'isFolded', json(iif(EXISTS (SELECT 1 FROM pragma_index_xinfo(i.name) WHERE "key" AND coll <> 'BINARY'),
                    'true', 'false')),
                'columns', json((SELECT json_group_array(name) FROM (
                    SELECT name FROM pragma_index_xinfo(i.name) WHERE "key" ORDER BY seqno)))))
              FROM pragma_index_list(m.name) i WHERE i.origin <> 'pk')),
            'references', json((SELECT json_group_array(json_object(
                'table', f."table", 'onDelete', f.on_delete, 'onUpdate', f.on_update,
                'columns', json((SELECT json_group_array("from") FROM (SELECT "from"
                    FROM pragma_foreign_key_list(m.name) g WHERE g.id = f.id ORDER BY g.seq))),
                'targets', json((SELECT json_group_array("to") FROM (SELECT "to"
                    FROM pragma_foreign_key_list(m.name) g WHERE g.id = f.id AND "to" IS NOT NULL ORDER BY g.seq)))))
              FROM (SELECT * FROM pragma_foreign_key_list(m.name) WHERE seq = 0 ORDER BY id DESC) f))))
            FROM (SELECT * FROM sqlite_schema
                  WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND sql NOT LIKE 'CREATE VIRTUAL %'
                    AND name NOT IN (SELECT name FROM pragma_table_list WHERE type = 'shadow')
                  ORDER BY rowid) m)),
          'others', json((SELECT json_group_array(iif(type = 'table', 'virtual table', type) || ' ' || name)
            FROM sqlite_schema WHERE type IN ('view', 'trigger') OR sql LIKE 'CREATE VIRTUAL %')))
        """
}
