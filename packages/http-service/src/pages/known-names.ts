/** Names and values of this service that replace names and values in the examples of the table. */
export interface KnownNames {
  /** Sentence for readers about the origin of the names. */
  readonly note: string;
  /** Values of this service by `{parameter}={value of the example}`. */
  readonly values: ReadonlyMap<string, string>;
  /** Files of this service by the key `{run}/{attempt}/{name}` of the example's file. The files may belong to different runs. */
  readonly files?: ReadonlyMap<string, string>;
  /**
   * Values that this service does not have, as `{parameter}={value of the example}`, and ids of operations for which this service
   * has no data. Example commands that need such values are left out.
   */
  readonly absent?: ReadonlySet<string>;
  /** Values of members of a computing body, by name. These values replace the values of examples. */
  readonly body: Readonly<Record<string, string | number>>;
}

/** Names for a service without data. */
export const NOTHING_KNOWN: KnownNames = {
  note: 'This service has no places yet, so the names are examples.',
  values: new Map(),
  body: {},
};
