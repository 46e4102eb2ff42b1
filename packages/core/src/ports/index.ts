// `@headwater/core/ports`: every port, for packages that implement a store, a source or the pixel engine.
export type * from './host.ts';
export type * from './assets.ts';
export type * from './catalog.ts';
export type * from './earth-observation.ts';
export type * from './eo-accounts.ts';
export type * from './imports.ts';
export type * from './installation.ts';
export type * from './item-search.ts';
export type * from './jobs.ts';
export type * from './lookups.ts';
export type * from './pixels.ts';
export type * from './operator-lists.ts';
export type * from './places.ts';
export type * from './published.ts';
export type * from './runs.ts';
export type * from './stores.ts';
export type * from './tables.ts';
