import { invalidField } from '@headwater/core';

/** Names that are valid in paths, in XML and in file names of map servers. */
const NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;
const MOST = 200;

/**
 * Throws `validation` for a name of a workspace or layer that a GeoServer does not accept. The embedded map server uses the same check.
 */
export function checkName(field: string, name: string): void {
  if (NAME.test(name) && name.length <= MOST) return;
  throw invalidField(
    field,
    `"${name.slice(0, 100)}" is not a name for a map server; use at most ${MOST} letters, digits, "_", "." and "-", and begin with a letter, a digit or "_".`,
  );
}
