/** Field of the wire -> its sentences. */
export type WireFields = Readonly<Record<string, readonly string[]>>;

/** How a failure is put into words; what is absent stays as the error has it. */
export interface Words {
  readonly message: string;
  readonly fields?: WireFields;
  /** Members of the body in place of the error's details. */
  readonly members?: Readonly<Record<string, unknown>>;
}

/** Every field with its sentences as one text. */
export function fieldText(fields: WireFields): string {
  return Object.entries(fields)
    .map(([field, sentences]) => `${field}: ${sentences.join(' ')}`)
    .join('; ');
}
