import { invalidField } from '@headwater/core';

/** Names that need no encoding in paths and file names. */
const NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;
const MOST = 200;

/** Throws `validation` for a name that does not match `NAME` or has more than `MOST` characters. */
export function checkName(field: string, name: string): void {
  if (NAME.test(name) && name.length <= MOST) return;
  throw invalidField(
    field,
    `"${name.slice(0, 100)}" is not a name for a map server; use at most ${MOST} letters, digits, "_", "." and "-", and begin with a letter, a digit or "_".`,
  );
}
