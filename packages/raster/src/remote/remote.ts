import { type Network, type NetworkOptions, type NetworkSettings, threadNetwork } from '@headwater/net';
import { BlockCache } from './block-cache.ts';
import type { BlockCacheSettings } from './block-files.ts';
import { shareCounts } from './cache-counts.ts';

/** Settings of the network, and of the cache of remote files; no cache without `blocks`. */
export interface RemoteSettings extends Partial<NetworkSettings> {
  readonly blocks?: BlockCacheSettings;
}

/** Network and cache through which a thread reads remote files. */
export interface Remote {
  readonly network: Network;
  readonly cache?: BlockCache;
}

/** Creates the network and the cache for one call of the engine, in a worker thread. */
export function threadRemote(settings: RemoteSettings, onWait: NetworkOptions['onWait']): Remote {
  const network = threadNetwork(settings, onWait);
  return settings.blocks === undefined ? { network } : { network, cache: new BlockCache(settings.blocks, shareCounts) };
}
