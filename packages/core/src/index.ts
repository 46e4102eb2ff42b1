export * from './errors.ts';
export type * from './ports/index.ts';
export * from './compute/pixel-plan.ts';
