export type { Answer } from './network/answer.ts';
export { specialRange } from './network/ip-ranges.ts';
export { Network, type Asked, type NetworkOptions } from './network/network.ts';
export { originOf, originSet } from './network/origins.ts';
export type { Outgoing } from './network/outbound.ts';
export { passing, Passing } from './network/passing.ts';
export { NETWORK_DEFAULTS, SYSTEM_TOOLS, type NetworkSettings, type NetworkTools } from './network/settings.ts';
