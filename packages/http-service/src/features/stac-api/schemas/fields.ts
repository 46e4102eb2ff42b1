import { Refusal } from './reading.ts';

/** Which members of Items are wanted, as paths from an Item (`['properties', 'gsd']`). */
export interface FieldChoice {
  /** Undefined where no list of them was given, which is not the same as an empty one. */
  readonly include: readonly FieldPath[] | undefined;
  readonly exclude: readonly FieldPath[];
}

/** Names from an Item down to one of its members. */
export type FieldPath = readonly string[];

const MOST_FIELDS = 200;
const FORM = 'Write names with commas between them, as id,properties.datetime; a - before one leaves it out.';

/** `id,+geometry,-links` -> what is wanted. An empty text wants the members that a STAC Item cannot be read without. */
export function readFieldsText(text: string): FieldChoice | Refusal {
  const parts = text.split(',').map((part) => part.trim());
  const given = parts.filter((part) => part !== '');
  const include = given.filter((part) => !part.startsWith('-')).map((part) => part.replace(/^\+/, ''));
  const exclude = given.filter((part) => part.startsWith('-')).map((part) => part.slice(1));
  return readFields(include.length === 0 ? { exclude } : { include, exclude });
}

/** Lists of a body; null is an empty one. */
export function readFields(given: {
  readonly include?: readonly string[] | null | undefined;
  readonly exclude?: readonly string[] | null | undefined;
}): FieldChoice | Refusal {
  const include = given.include === null ? [] : given.include;
  const exclude = given.exclude ?? [];
  if ((include?.length ?? 0) + exclude.length > MOST_FIELDS)
    return new Refusal(`More than ${MOST_FIELDS} names. ${FORM}`);
  const wrong = [...(include ?? []), ...exclude].find((name) => pathOf(name).includes(''));
  if (wrong !== undefined) return new Refusal(`${JSON.stringify(wrong.slice(0, 60))} is no name of a member. ${FORM}`);
  return { include: include?.map(pathOf), exclude: exclude.map(pathOf) };
}

function pathOf(name: string): FieldPath {
  return name.split('.');
}
