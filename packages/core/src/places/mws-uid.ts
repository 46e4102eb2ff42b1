/**
 * Rule for the id of a micro-watershed: digits and `_`. Requests with other ids are refused, so imports are checked by the same rule: each
 * stored id can be requested.
 */
export const UID_RULE = { pattern: /^[0-9_]+$/, longest: 100 } as const;
