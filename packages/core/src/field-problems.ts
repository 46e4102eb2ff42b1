/** Rule that a field's value breaks. Programs may build their own message from the rule, except for `invalid`. */
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

/** A problem of the value of a field. */
export interface FieldProblem {
  readonly rule: FieldRule;
  /** The problem and the remedy, without the field's name. */
  readonly message: string;
  /** Maximum that the rule allows, e.g. characters for `too_long`. */
  readonly limit?: number;
  /** Other fields that the message names, by their names in the domain. */
  readonly mentions?: readonly string[];
}

/** Problems by the field's name in the domain (`tehsil`, `firstName`). */
export type FieldErrors = Readonly<Record<string, readonly FieldProblem[]>>;

/** Formats all messages as one text: `tehsil: is empty. startYear: is too early.` */
export function fieldSummary(fields: FieldErrors): string {
  const parts = Object.entries(fields).map(([field, problems]) => {
    return `${field}: ${problems.map(({ message }) => message).join(' ')}`;
  });
  return parts.join(' ');
}
