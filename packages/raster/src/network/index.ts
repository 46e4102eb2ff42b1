export { Network, type Asked, type NetworkOptions } from './network.ts';
export { passing, Passing } from './passing.ts';
export { NETWORK_DEFAULTS, type NetworkSettings, type NetworkTools } from './settings.ts';
