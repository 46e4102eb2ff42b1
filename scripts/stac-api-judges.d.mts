/** Judges of the STAC API, and their environment. */
export interface StacApiJudges {
  readonly validator: string;
  readonly python: string;
  readonly env: NodeJS.ProcessEnv;
}
export function findStacApiJudges(options?: { install?: boolean }): StacApiJudges | { readonly reason: string };
