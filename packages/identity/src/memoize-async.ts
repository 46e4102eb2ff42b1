/** Makes a value at the first call and returns it from then on; one that could not be made is made again at the next call. */
export function memoizeAsync<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    if (made !== undefined) return made;
    const making = make();
    made = making;
    making.catch(() => {
      made = undefined;
    });
    return making;
  };
}
