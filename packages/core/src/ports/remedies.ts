/** Advice to the operator about missing data and refused callers, in words. The host that composes a service sets it, since it chose the places of its data. */
export interface Remedies {
  /** For a tehsil without boundary or micro-watersheds; continues the message "Jalsrota has no boundary; ". */
  readonly placeData: string;
  /** For a place and time without usable scenes: one or more sentences. */
  readonly scenes: string;
  /** For a place without complete elevation data: one or more sentences. */
  readonly elevation: string;
  /** For a service without orchestrator: one or more sentences. */
  readonly orchestrator: string;
  /** For callers of the work service at addresses that it does not answer: one or more sentences. */
  readonly callers: string;
}
