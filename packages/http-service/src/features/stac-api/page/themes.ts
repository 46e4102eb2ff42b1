/** A group of layers with one theme. */
export interface ThemedLayers<L> {
  readonly title: string;
  readonly layers: readonly L[];
}

/** Up to this number, layers are not grouped. */
const FEW = 12;

/**
 * Groups more than `FEW` layers by theme. Layers that have no theme, or are alone in their theme, follow under the
 * title `others`. Up to `FEW` layers are one group with this title.
 */
export function byTheme<L extends { readonly theme: string | undefined }>(
  layers: readonly L[],
  others: string,
): readonly ThemedLayers<L>[] {
  if (layers.length <= FEW) return [{ title: others, layers }];
  const all = [...Map.groupBy(layers, ({ theme }) => theme ?? '')];
  const isAlone = ([theme, own]: (typeof all)[number]): boolean => theme === '' || own.length < 2;
  const groups = all
    .filter((group) => !isAlone(group))
    .map(([theme, own]) => ({ title: theme.slice(0, 1).toUpperCase() + theme.slice(1), layers: own }));
  const rest = all.filter(isAlone).flatMap(([, own]) => own);
  return rest.length === 0 ? groups : [...groups, { title: others, layers: rest }];
}
