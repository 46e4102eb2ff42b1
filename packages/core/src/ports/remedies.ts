/** What an operator does about missing data, in words. Whoever composes a service knows where its data are put, and says so here. */
export interface Remedies {
  /** A tehsil lacks its boundary or its micro-watersheds; goes on after "Jalsrota has no boundary; ". */
  readonly placeData: string;
  /** No usable scene for a place and time: a sentence, or some. */
  readonly scenes: string;
  /** No elevation data for all of a place: a sentence, or some. */
  readonly elevation: string;
  /** No orchestrator is set up: a sentence, or some. */
  readonly orchestrator: string;
}
