/** Responses that several rows have in addition to their content. */
export const NOT_MODIFIED = { description: 'The client has the current version in its cache' };
export const PRECONDITION_FAILED = {
  description: 'The current version differs from `If-Match`, or is newer than `If-Unmodified-Since`',
};
