/** Rule that a field's value breaks, from which code builds a message; `invalid` if only the message describes it. */
export type FieldRule =
  | 'required'
  | 'null'
  | 'blank'
  | 'too_long'
  | 'not_text'
  | 'not_integer'
  | 'unknown'
  | 'unsupported'
  | 'taken'
  | 'foreign'
  | 'weak'
  | 'wrong'
  | 'mismatch'
  | 'invalid';

/** A problem of a field. */
export interface FieldProblem {
  readonly rule: FieldRule;
  /** Plain English, without the field's name: problem and remedy. */
  readonly message: string;
  /** Maximum that the rule allows, e.g. characters for `too_long`. */
  readonly limit?: number;
  /** Other fields that the message names, as the domain spells them. */
  readonly mentions?: readonly string[];
}

/** Field, by its name in the domain (`tehsil`, `firstName`) -> its problems. */
export type FieldErrors = Readonly<Record<string, readonly FieldProblem[]>>;

/** Every field with its messages as one text: `tehsil: is empty. startYear: is too early.` */
export function fieldSummary(fields: FieldErrors): string {
  const parts = Object.entries(fields).map(([field, problems]) => {
    return `${field}: ${problems.map(({ message }) => message).join(' ')}`;
  });
  return parts.join(' ');
}
