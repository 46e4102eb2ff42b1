/**
 * Puts a database for `openEmbedded` into a folder without a database. The kind is `migrated` (default) or `new`. A
 * `new` database has PostGIS and no tables.
 */
export function copyDatabase(dataDir: string, kind?: 'migrated' | 'new'): Promise<void>;
