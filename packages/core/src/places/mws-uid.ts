/**
 * Rule for the id of a micro-watershed: letters, digits, `_`, `.` and `-`. Requests with other ids are refused. Imports are checked by the same
 * rule, so that each stored id can be requested. A colon is not allowed, because it separates ids from other parts in the keys of rows.
 */
export const UID_RULE = {
  pattern: /^[A-Za-z0-9_.-]+$/,
  longest: 64,
  words: 'letters, digits, _ . and -',
} as const;
