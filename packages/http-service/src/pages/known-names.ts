/** Names of this service that replace those of the table's examples. */
export interface KnownNames {
  /** Sentence for readers about the origin of the names. */
  readonly note: string;
  /** Values of this service by `{parameter}={value of the example}`. */
  readonly values: ReadonlyMap<string, string>;
  /** Files of this service by the key `{run}/{attempt}/{name}` of the example's file; each has its own run. */
  readonly files?: ReadonlyMap<string, string>;
  /**
   * `{parameter}={value of the example}` of values that this service lacks, and ids of rows for which it has no data. Example commands that
   * need them to succeed are left out.
   */
  readonly absent?: ReadonlySet<string>;
  /** Values of members of a computing body, by name; they replace those of examples. */
  readonly body: Readonly<Record<string, string | number>>;
}

/** Names for a service without data. */
export const NOTHING_KNOWN: KnownNames = {
  note: 'This service has no places yet, so the names are examples.',
  values: new Map(),
  body: {},
};
