/** Answers that several rows give beside their content. */
export const CALLER_HAS_IT = { description: 'The caller has it already' };
export const ANOTHER_VERSION = {
  description: 'Another version than `If-Match` names, or a newer one than `If-Unmodified-Since`',
};
