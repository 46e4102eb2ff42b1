/** An invalid tree; the message names the document, the link and the problem. */
export class TreeError extends Error {
  override readonly name = 'TreeError';
}

/** A target that cannot be written; the message has the remedy. */
export class TargetError extends Error {
  override readonly name = 'TargetError';
}
