/** Programs that judge the STAC API, and the environment that they run in. */
export interface StacApiJudges {
  readonly validator: string;
  readonly python: string;
  readonly env: NodeJS.ProcessEnv;
}
export function findStacApiJudges(options?: { install?: boolean }): StacApiJudges | { readonly reason: string };
