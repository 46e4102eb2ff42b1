/** How a field of a request is spoken on the wire. */
export interface WireField {
  readonly name: string;
  /** Other names under which clients of the live system send it. */
  readonly aliases: readonly string[];
  /** Said where it is missing. */
  readonly required: string;
  /** Said where it is no whole number; absent: what the field's own schema says. */
  readonly notInteger?: string;
}

const REQUIRED = 'This field is required.';

/** Fields whose wire name is not their domain name in snake_case, and those with older names. */
const SPECIAL: Readonly<Record<string, WireField>> = {
  tehsil: { name: 'block', aliases: ['tehsil'], required: REQUIRED },
  eoAccountId: {
    name: 'eo_account_id',
    aliases: ['gee_account_id'],
    required: 'eo_account_id is required (gee_account_id is accepted too).',
    notInteger: 'eo_account_id must be an integer.',
  },
};

/** The wire's name and texts of a request's field: `startYear` is `start_year`, `tehsil` is `block` or `tehsil`. */
export function wireField(field: string): WireField {
  const special = Object.hasOwn(SPECIAL, field) ? SPECIAL[field] : undefined;
  return special ?? { name: snakeCase(field), aliases: [], required: REQUIRED };
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
