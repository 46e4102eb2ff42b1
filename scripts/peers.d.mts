export const root: string;
export const shared: string;
export type Peers = { readonly folder: string; readonly python: string } | { readonly reason: string };
export function findPeers(options?: {
  install?: boolean;
  modules?: readonly string[];
  extra?: readonly string[];
}): Peers;
export function peerEnvironment(): NodeJS.ProcessEnv;
/** Prints what is missing; returns the variable by which tests know the judges' Python. */
export function findJudges(more?: readonly string[]): Readonly<Record<string, string>>;
/** Modules that judge areas and documents. */
export const AREA_JUDGES: readonly string[];
