/** Puts a database into a folder for `openEmbedded`, which has none yet: `migrated` (default), or `new` with PostGIS alone. */
export function copyDatabase(dataDir: string, kind?: 'migrated' | 'new'): void;
