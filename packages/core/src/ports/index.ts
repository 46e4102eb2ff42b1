export type * from './accounts.ts';
export type * from './assets.ts';
export type * from './earth-observation.ts';
export type * from './pixels.ts';
export type * from './places.ts';
export type * from './runs.ts';
export type * from './stores.ts';
export type * from './system.ts';
