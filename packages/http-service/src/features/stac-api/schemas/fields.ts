import { Refusal } from './reading.ts';

/** Selection of Item members, as paths from the Item (`['properties', 'gsd']`). */
export interface FieldChoice {
  /** Included members. Undefined: no list was sent. An empty list has another meaning (see `selectFields`). */
  readonly include: readonly FieldPath[] | undefined;
  readonly exclude: readonly FieldPath[];
}

/** Path from an Item down to one of its members. */
export type FieldPath = readonly string[];

const MOST_FIELDS = 200;
const FORM = 'Write names separated by commas, for example id,properties.datetime; a - before a name leaves it out.';

/** Reads a text such as `id,+geometry,-links`. An empty text selects the members that every Item needs. */
export function readFieldsText(text: string): FieldChoice | Refusal {
  const parts = text.split(',').map((part) => part.trim());
  const names = parts.filter((part) => part !== '');
  const include = names.filter((part) => !part.startsWith('-')).map((part) => part.replace(/^\+/, ''));
  const exclude = names.filter((part) => part.startsWith('-')).map((part) => part.slice(1));
  return readFields(include.length === 0 ? { exclude } : { include, exclude });
}

/** Reads the lists of a body; null counts as an empty list. */
export function readFields(choice: {
  readonly include?: readonly string[] | null | undefined;
  readonly exclude?: readonly string[] | null | undefined;
}): FieldChoice | Refusal {
  const include = choice.include === null ? [] : choice.include;
  const exclude = choice.exclude ?? [];
  if ((include?.length ?? 0) + exclude.length > MOST_FIELDS)
    return new Refusal(`More than ${MOST_FIELDS} names. ${FORM}`);
  const wrong = [...(include ?? []), ...exclude].find((name) => pathOf(name).includes(''));
  if (wrong !== undefined)
    return new Refusal(`${JSON.stringify(wrong.slice(0, 60))} is not the name of a member. ${FORM}`);
  return { include: include?.map(pathOf), exclude: exclude.map(pathOf) };
}

function pathOf(name: string): FieldPath {
  return name.split('.');
}
