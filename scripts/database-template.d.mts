/** Puts a database for `openEmbedded` into a folder that has none: `migrated` (default), or `new` with PostGIS only. */
export function copyDatabase(dataDir: string, kind?: 'migrated' | 'new'): void;
