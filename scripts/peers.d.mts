export const root: string;
export const shared: string;
export type Peers = { readonly folder: string; readonly python: string } | { readonly reason: string };
export function findPeers(options?: {
  install?: boolean;
  modules?: readonly string[];
  extra?: readonly string[];
}): Peers;
export function peerEnvironment(): NodeJS.ProcessEnv;
