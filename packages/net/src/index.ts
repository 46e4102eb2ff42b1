export { type NetResponse, transientFailure, TransientFailure } from './network/response.ts';
export { specialRange } from './network/ip-ranges.ts';
export { Network, type OnWait, type RetriedRequest, type NetworkOptions } from './network/network.ts';
export { originOf, originSet } from './network/network.ts';
export { threadChannel } from './network/thread-channel.ts';
export { threadNetwork, watchOutgoing } from './network/watch-outgoing.ts';
export type { Outgoing } from './network/outbound.ts';
export { NETWORK_DEFAULTS, SYSTEM_TOOLS, type NetworkSettings, type NetworkTools } from './network/settings.ts';
