/** Responses that several rows have in addition to their content. */
export const CALLER_HAS_IT = { description: 'The client has the current version in its cache' };
export const ANOTHER_VERSION = {
  description: 'The current version differs from `If-Match`, or is newer than `If-Unmodified-Since`',
};
