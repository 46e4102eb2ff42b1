export * from './accounts/index.ts';
export * from './api-keys/index.ts';
export * from './auth/index.ts';
export type * from './ports/index.ts';
