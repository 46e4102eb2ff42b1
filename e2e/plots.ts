/** A plot of one quantity; both axes begin at 0. */
export interface Plot {
  readonly title: string;
  readonly points: readonly (readonly [number, number])[];
  /** Text at the end of the horizontal axis. */
  readonly end: string;
  /** Value of the horizontal axis up to which the background is grey. */
  readonly greyUntil?: number;
  /** If true, each point has a dot. */
  readonly hasDots?: boolean;
  /** If true, the line has the colour of a failure. */
  readonly hasFailed?: boolean;
}

const [WIDTH, HEIGHT, LEFT, TOP] = [420, 150, 48, 26];
const ROOM = { right: 12, bottom: 22 } as const;
const DRAWN = 120;

/** Returns an SVG of plots, two in each row. */
export function plotsSvg(title: string, plots: readonly Plot[]): string {
  const rows = Math.ceil(plots.length / 2);
  const body = plots.map((each, at) => plot(each, { x: (at % 2) * WIDTH, y: 30 + Math.floor(at / 2) * HEIGHT }));
  const size = { width: 2 * WIDTH, height: 30 + rows * HEIGHT };
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" width="${size.width}" height="${size.height}" font-family="sans-serif" font-size="11" role="img" aria-label="${title}">
<rect width="${size.width}" height="${size.height}" fill="#fff"/>
<text x="12" y="20" font-size="14" font-weight="bold">${title}</text>
${body.join('\n')}
</svg>
`;
}

function plot(
  { title, points, end, greyUntil = 0, hasDots = false, hasFailed = false }: Plot,
  { x, y }: { readonly x: number; readonly y: number },
): string {
  const [width, height] = [WIDTH - LEFT - ROOM.right, HEIGHT - TOP - ROOM.bottom];
  const last = points.at(-1)?.[0] ?? 1;
  const most = Math.max(1, ...points.map(([, value]) => value)) * 1.1;
  const kept = points.filter((_, at) => at % Math.ceil(points.length / DRAWN) === 0);
  const line = kept.map(
    ([at, value]) => `${((at / last) * width).toFixed(1)},${(height * (1 - value / most)).toFixed(1)}`,
  );
  const colour = hasFailed ? '#b3261e' : '#0b6e99';
  const dots = hasDots ? line.map((at) => `<circle cx="${at.replace(',', '" cy="')}" r="3" fill="${colour}"/>`) : [];
  return `<g transform="translate(${x + LEFT},${y + TOP})">
<text x="0" y="-8">${title}</text>
<rect width="${(width * Math.min(1, greyUntil / last)).toFixed(1)}" height="${height}" fill="#eee"/>
<path d="M0,0V${height}H${width}" fill="none" stroke="#666"/>
<text x="-4" y="8" text-anchor="end">${shown(most)}</text><text x="-4" y="${height}" text-anchor="end">0</text>
<text x="${width}" y="${height + 14}" text-anchor="end">${end}</text>
<polyline points="${line.join(' ')}" fill="none" stroke="${colour}"/>${dots.join('')}
</g>`;
}

/** Formats a number: one decimal below 10, otherwise none. */
export const shown = (value: number): string => (Math.abs(value) < 10 ? value.toFixed(1) : value.toFixed(0));
