/**
 * Rule for the id of a micro-watershed: letters, digits, `_`, `.` and `-`. Requests with other ids are refused, so imports are checked by the
 * same rule: each stored id can be requested. Keys of rows join ids and other parts by a colon, which is therefore not allowed.
 */
export const UID_RULE = {
  pattern: /^[A-Za-z0-9_.-]+$/,
  longest: 64,
  words: 'letters, digits, _ . and -',
} as const;
