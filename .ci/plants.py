"""Damage that the judge of `larder serve` must find: by its name, what is done to the tables of a store of either kind.

The log of a store of files is written anew with it. The service must open that before the judge looks again, so that the
log is known to be a good one.
"""
ONE = "(SELECT id FROM recipe WHERE id IN (SELECT recipe_id FROM cooking_session) ORDER BY id LIMIT 1)"
PLANTS = {
    "lost": [f"DELETE FROM {table} WHERE recipe = {ONE}" for table in
             ("step", "ingredient", "recipe_tags", "cookbook_history", "cookbook_favorites")]
    + [f"CREATE TEMP TABLE gone AS SELECT {ONE} AS id",
       "UPDATE cooking_session SET recipe_id = NULL WHERE recipe_id = (SELECT id FROM gone)",
       "DELETE FROM recipe WHERE id = (SELECT id FROM gone)"],
    "older": [f"UPDATE recipe SET version = version - 1 WHERE id = {ONE}"],
    "half": [f"UPDATE cooking_session SET recipe_id = NULL WHERE recipe_id = {ONE}"],
    # The last id of all: whoever is read second is the double.
    "doubled": [f"CREATE TEMP TABLE twin AS SELECT * FROM recipe WHERE id = {ONE}", "UPDATE twin SET id = X'" + "FF" * 16 + "'",
                "INSERT INTO recipe SELECT * FROM twin"],
    "forgotten": ["DELETE FROM stored_answer"],
}


def plant(what, store):
    """Damages the store; `False` while there is nothing acknowledged to damage."""
    with store.writer() as writer:
        has_one = writer.execute(f"SELECT {ONE}").fetchone()[0] is not None
        for statement in PLANTS[what] if has_one else []:
            writer.execute(statement)
    return has_one
