export const root: string;
export const shared: string;
export type Peers = { readonly folder: string; readonly python: string } | { readonly reason: string };
export function findPeers(options?: {
  install?: boolean;
  modules?: readonly string[];
  extra?: readonly string[];
}): Peers;
export function peerEnvironment(): NodeJS.ProcessEnv;
export function interpretedEnvironment(): NodeJS.ProcessEnv;
/** Prints and returns missing programs. Also returns the environment with which tests find the Python of judges. */
export function findJudges(more?: readonly string[]): {
  readonly variables: Readonly<Record<string, string>>;
  readonly missing: readonly string[];
};
/** Python modules that judge areas and documents. */
export const AREA_JUDGES: readonly string[];
/** A judge with its own Python environment. A judge counts as installed if its modules can be imported. */
export interface VenvJudge {
  readonly name: string;
  readonly modules: readonly string[];
  readonly packages: readonly string[];
}
/** Judge that reads stac-geoparquet files. */
export const GEOPARQUET_JUDGE: VenvJudge;
/** Client of OGC services. */
export const OWSLIB_JUDGE: VenvJudge;
/** Judge that reads PMTiles files. */
export const PMTILES_JUDGE: VenvJudge;
/** Validator of Kubernetes files, with schemas. */
export const KUBERNETES_JUDGE: VenvJudge;
/** Emulators of object storage. */
export const STORAGE_JUDGE: VenvJudge;
/** Django with the library of API keys that the live system uses. */
export const DJANGO_JUDGE: VenvJudge;
/** Debian's Python, which has QGIS. */
export const QGIS_PYTHON: string;
/** Reason why QGIS is not available. */
export function qgisProblem(): string | undefined;
/** Finds the Python of a judge, or returns the reason if there is none. */
export function findVenv(
  judge: VenvJudge,
  options?: { readonly install?: boolean },
): { readonly python: string } | { readonly reason: string };
