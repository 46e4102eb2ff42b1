export type { Answer } from './answer.ts';
export { Network, type Asked, type NetworkOptions } from './network.ts';
export { originOf, originSet } from './origins.ts';
export type { Outgoing } from './outbound.ts';
export { passing, Passing } from './passing.ts';
export { NETWORK_DEFAULTS, type NetworkSettings, type NetworkTools } from './settings.ts';
