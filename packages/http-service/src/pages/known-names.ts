/** Names and values of this service for the examples of the operations. */
export interface KnownNames {
  /** Sentence about the origin of the names. */
  readonly note: string;
  /** Values of this service that replace values of examples. Keys: `{parameter}={value of the example}`. */
  readonly values: ReadonlyMap<string, string>;
  /** Files of this service, by `{run}/{attempt}/{name}` of the example's file. */
  readonly files?: ReadonlyMap<string, string>;
  /**
   * Keys `{parameter}={value of the example}` for which this service has no value, and ids of operations without
   * data. Commands with them are left out.
   */
  readonly absent?: ReadonlySet<string>;
  /** Values for the members of a computation's request, by name. */
  readonly body: Readonly<Record<string, string | number>>;
}

/** Names for a service without data. */
export const NOTHING_KNOWN: KnownNames = {
  note: 'This service has no places yet, so the names are examples.',
  values: new Map(),
  body: {},
};
