/** Names of a service, in place of those that the examples of the table have. */
export interface KnownNames {
  /** Sentence for readers: whose names the lines have. */
  readonly told: string;
  /** `{parameter}={value of the example}` -> the value on this service. */
  readonly values: ReadonlyMap<string, string>;
  /** Key `{run}/{attempt}/{name}` of a file of the examples -> that of a file here: each is of a run of its own. */
  readonly files?: ReadonlyMap<string, string>;
  /** `{parameter}={value of the example}` that nothing here stands for, and rows (by id) of which nothing is here: lines that would succeed are left out. */
  readonly absent?: ReadonlySet<string>;
  /** Members of a computing body by name; those that an example has are replaced. */
  readonly body: Readonly<Record<string, string | number>>;
}

/** For a service that holds nothing. */
export const NOTHING_KNOWN: KnownNames = {
  told: 'No place is known here yet, so their names are made up.',
  values: new Map(),
  body: {},
};
