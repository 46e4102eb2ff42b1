/** Copies a database for `openEmbedded` into a folder. `migrated` (default): with tables; `new`: only with PostGIS. */
export function copyDatabase(dataDir: string, kind?: 'migrated' | 'new'): Promise<void>;
