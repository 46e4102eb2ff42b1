/**
 * What the id of a micro-watershed is made of: digits and `_`, as in the live system, which refuses every other one that it is asked for.
 * What is read in is held against the same, so that each id which is stored can be asked for.
 */
export const UID_RULE = { pattern: /^[0-9_]+$/, longest: 100 } as const;
