/** Something that was worked on, with what came of it. */
export interface Worked<T, R> {
  readonly given: T;
  readonly result: R;
}

/** Works on each of a list, at most `atOnce` of them at a time, and gives the results in the order of the list. Throws as the work does. */
export async function* ahead<T, R>(
  list: readonly T[],
  work: (each: T) => Promise<R>,
  atOnce: number,
): AsyncGenerator<Worked<T, R>> {
  const open: Promise<Worked<T, R>>[] = [];
  let next = 0;
  const begin = (): void => {
    const given = list[next];
    if (given === undefined) return;
    next += 1;
    const promise = work(given).then((result) => ({ given, result }));
    // Whoever waits for an earlier one hears of this failure when its turn comes, or never; it must not end the process.
    promise.catch(() => {});
    open.push(promise);
  };
  while (open.length < atOnce && next < list.length) begin();
  for (let first = open.shift(); first !== undefined; first = open.shift()) {
    const worked = await first;
    begin();
    yield worked;
  }
}
