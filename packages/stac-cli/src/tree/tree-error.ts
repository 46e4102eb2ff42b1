/** A tree that cannot be taken as it is; the message names the document, the link in it and what is wrong there. */
export class TreeError extends Error {
  override readonly name = 'TreeError';
}

/** A place where nothing can be written; the message says what to do about it. */
export class TargetError extends Error {
  override readonly name = 'TargetError';
}
