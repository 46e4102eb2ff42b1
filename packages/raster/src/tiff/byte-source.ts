/** Positioned reads of one file or URL. */
export interface ByteSource {
  readonly href: string;
  /** Bytes of the whole file; null where the server does not say. */
  readonly size: number | null;
  /** How many reads may be under way at once: 1 for a local file, more over a network. */
  readonly concurrency: number;
  /**
   * Exactly `length` bytes from `offset`, or fewer at the end of the file.
   * Local files answer at once and may reuse `into`; URLs answer with a promise.
   */
  read(offset: number, length: number, into?: Uint8Array): Uint8Array | Promise<Uint8Array>;
  /** Text of the `.aux.xml` next to a local file; undefined without one. Those of URLs are not looked for. */
  readonly sideText?: () => string | undefined;
  close(): void;
}
