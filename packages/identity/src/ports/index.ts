export type * from './accounts.ts';
export type * from './api-keys.ts';
export type * from './audit.ts';
export type * from './moves.ts';
export type * from './stores.ts';
export type * from './people.ts';
export type * from './directory.ts';
export type * from './teams.ts';
