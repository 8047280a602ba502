/** Object.keys and the like with typed keys, for objects without keys beyond their type. */

export const typedKeys = <Key extends string>(object: Readonly<Partial<Record<Key, unknown>>>) => Object.keys(object) as Key[];

export const typedEntries = <Key extends string, Value>(object: Readonly<Record<Key, Value>>) => Object.entries(object) as [Key, Value][];

/** @param entries one for every key of the type. */
export const typedFromEntries = <Key extends string, Value>(entries: Iterable<readonly [Key, Value]>) =>
	Object.fromEntries(entries) as Record<Key, Value>;

/** Whether a text from outside is a key of a table. */
export const isKeyOf = <Table extends object>(table: Table, key: PropertyKey): key is keyof Table => Object.hasOwn(table, key);

/** Objects by their names, each with its own type. */
export const indexByName = <Item extends { name: string }>(items: readonly Item[]) =>
	Object.fromEntries(items.map((item) => [item.name, item])) as { [Each in Item as Each["name"]]: Each };
