/** Cuts the bytes of one direction of a PostgreSQL connection into messages. */
export class Frames {
  #rest = Buffer.alloc(0);
  #isStart: boolean;

  /** `hasStart`: the first message has no type, as that of a client. */
  constructor({ hasStart }: { readonly hasStart: boolean }) {
    this.#isStart = hasStart;
  }

  /** The messages that are complete with these bytes. */
  *of(bytes: Buffer): Generator<Buffer, void> {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    for (;;) {
      const head = this.#isStart ? 0 : 1;
      if (this.#rest.length < head + 4) return;
      const size = head + this.#rest.readInt32BE(head);
      if (this.#rest.length < size) return;
      const message = this.#rest.subarray(0, size);
      this.#rest = this.#rest.subarray(size);
      this.#isStart = false;
      yield message;
    }
  }
}

/** A message of a client with one text. */
export function frame(type: string, text: string): Buffer {
  const body = Buffer.from(`${text}\0`);
  const head = Buffer.alloc(5);
  head.write(type, 'latin1');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** SQL of the messages of one statement; of one that was prepared before, its name. */
export function textOf(unit: readonly Buffer[]): string {
  const [first] = unit;
  if (first === undefined) return '';
  const parts = first.subarray(5).toString().split('\0');
  const type = String.fromCharCode(first[0] ?? 0);
  // A parse message has the statement's name first, a bind message the portal's.
  return (type === 'Q' ? parts[0] : parts[1]) ?? '';
}
