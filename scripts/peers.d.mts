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
/** Prints and returns the missing programs. Also returns environment variables; with these variables tests find the judges' Python. */
export function findJudges(more?: readonly string[]): {
  readonly variables: Readonly<Record<string, string>>;
  readonly missing: readonly string[];
};
/** Python modules that judge areas and documents. */
export const AREA_JUDGES: readonly string[];
/** A judge with a separate Python environment. If the modules can be imported, the judge is installed. The packages contain these modules. */
export interface VenvJudge {
  readonly name: string;
  readonly modules: readonly string[];
  readonly packages: readonly string[];
}
/** Reads stac-geoparquet files back. */
export const GEOPARQUET_JUDGE: VenvJudge;
/** Reads the map server as a client of OGC services. */
export const OWSLIB_JUDGE: VenvJudge;
/** Reads PMTiles files. */
export const PMTILES_JUDGE: VenvJudge;
/** Validator of the files for Kubernetes, which contains the schemas. */
export const KUBERNETES_JUDGE: VenvJudge;
/** Programs that have the APIs of object storage. */
export const STORAGE_JUDGE: VenvJudge;
/** Django with the API keys of the live system. */
export const DJANGO_JUDGE: VenvJudge;
/** Debian's Python, which has the modules of Debian's QGIS. */
export const QGIS_PYTHON: string;
/** Reason why QGIS cannot be used; undefined if it can. */
export function qgisProblem(): string | undefined;
/** Finds the Python of one judge; returns the reason if there is none. */
export function findVenv(
  judge: VenvJudge,
  options?: { readonly install?: boolean },
): { readonly python: string } | { readonly reason: string };
