/** Copies a database for `openEmbedded` into a folder. `migrated` (default) has tables; `new` has only PostGIS. */
export function copyDatabase(dataDir: string, kind?: 'migrated' | 'new'): Promise<void>;
