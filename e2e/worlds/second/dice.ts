/**
 * Random numbers: sfc32 (Doty-Humphrey, PractRand), seeded with FNV-1a. Not the generator of the sample, so that the
 * landscapes are independent.
 */
export class Dice {
  readonly #state: Uint32Array;

  /** Equal words give the same sequence on every machine. */
  constructor(...words: readonly (string | number)[]) {
    const text = words.join('/');
    this.#state = Uint32Array.from([fnv1a(`a${text}`), fnv1a(`b${text}`), fnv1a(`c${text}`), 1]);
    for (let i = 0; i < 16; i++) this.next();
  }

  /** Returns a number in [0, 1). */
  next(): number {
    const s = this.#state;
    const [a = 0, b = 0, c = 0, d = 0] = s;
    const t = (a + b + d) >>> 0;
    s[3] = d + 1;
    s[0] = b ^ (b >>> 9);
    s[1] = c + (c << 3);
    s[2] = ((c << 21) | (c >>> 11)) + t;
    return t / 4_294_967_296;
  }

  /** Returns a number in [low, high). */
  within(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  /** Returns true with this probability, 0-1. */
  hits(share: number): boolean {
    return this.next() < share;
  }

  /** Draws from a normal distribution with mean 0 and this standard deviation (Box and Muller 1958). */
  normal(deviation: number): number {
    return deviation * Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next());
  }

  /** Draws a value from a list of values with weights; throws for an empty list. */
  pick<T>(list: readonly (readonly [T, number])[]): T {
    let left = this.next() * list.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [value, weight] of list) {
      left -= weight;
      if (left < 0) return value;
    }
    const last = list.at(-1);
    if (last === undefined) throw new RangeError('Dice.pick: the list is empty; give at least one value');
    return last[0];
  }
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
