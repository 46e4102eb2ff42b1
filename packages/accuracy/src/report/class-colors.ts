/** Colours of classes that nobody gave one: told apart by people who see colours in another way, too (Okabe and Ito 2008). */
const SPARE = ['#e69f00', '#56b4e9', '#009e73', '#f0e442', '#0072b2', '#d55e00', '#cc79a7', '#999999'] as const;

/** Colour of the class at a place of the legend, `#rrggbb`: its own, else a spare one. */
export function colorOf(place: number, color: string | undefined): string {
  return color ?? SPARE[place % SPARE.length] ?? '#999999';
}
