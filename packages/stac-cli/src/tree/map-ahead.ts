/** An input with its result. */
export interface Mapped<T, R> {
  readonly input: T;
  readonly result: R;
}

/**
 * Runs work on each element, at most `atOnce` at a time, and yields the results in list order. Throws the error of failed work.
 */
export async function* mapAhead<T, R>(
  list: readonly T[],
  work: (each: T) => Promise<R>,
  atOnce: number,
): AsyncGenerator<Mapped<T, R>> {
  const open: Promise<Mapped<T, R>>[] = [];
  let next = 0;
  const begin = (): void => {
    const input = list[next];
    if (input === undefined) return;
    next += 1;
    const promise = work(input).then((result) => ({ input, result }));
    // The generator throws a failure when its result is next. Until then this handler keeps the failure from ending the process.
    promise.catch(() => {});
    open.push(promise);
  };
  while (open.length < atOnce && next < list.length) begin();
  for (let first = open.shift(); first !== undefined; first = open.shift()) {
    const mapped = await first;
    begin();
    yield mapped;
  }
}
