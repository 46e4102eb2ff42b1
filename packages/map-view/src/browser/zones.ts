import type Feature from 'ol/Feature.js';
import type { FeatureLike } from 'ol/Feature.js';
import GeoJSON from 'ol/format/GeoJSON.js';
import VectorLayer from 'ol/layer/Vector.js';
import VectorSource from 'ol/source/Vector.js';
import CircleStyle from 'ol/style/Circle.js';
import Fill from 'ol/style/Fill.js';
import Stroke from 'ol/style/Stroke.js';
import Style from 'ol/style/Style.js';
import type { ItemMap } from '@headwater/http-service';
import { classesOf, classOf, numberText, type NumberClass } from '@headwater/http-service/number-classes';
import { chooser, element, swatch } from './elements.ts';
import { type Drawn, readFills } from './fills.ts';
import { MAP_CRS } from './sample.ts';
import { say } from './texts.ts';

/** Polygons of a map. */
export interface Zones {
  readonly layer: VectorLayer;
  /** Highlights the polygon at a point and returns its properties; undefined if there is none. */
  select(point: readonly number[]): Readonly<Record<string, unknown>> | undefined;
  /** Colours the polygons by a column; undefined: style of the layer; '': no colours. */
  colourBy(column: string | undefined): void;
  readonly column: () => string | undefined;
  /** Choice of the column, and legend and figures of the chosen column. */
  readonly panel: HTMLElement;
}

type ShownZones = NonNullable<ItemMap['zones']>;

/** Text of a value. */
export function valueText(value: unknown): string {
  if (typeof value === 'number') return numberText(value);
  return typeof value === 'string' || typeof value === 'boolean' ? String(value) : '';
}

/** Reads the polygons and creates their layer. Calls `onChange` when the user chooses another column. */
export async function createZones({ href, columns, style }: ShownZones, onChange: () => void): Promise<Zones> {
  const [response, fills] = await Promise.all([fetch(href), style === undefined ? undefined : readFills(style)]);
  if (!response.ok) throw new Error(`${href} responded ${response.status}`);
  const format = new GeoJSON<Feature>({ featureProjection: MAP_CRS });
  const features = format.readFeatures(await response.text());
  let column: string | undefined;
  let classes: readonly NumberClass[] = [];
  let selected: FeatureLike | undefined;
  const styles = (feature: FeatureLike): Style => {
    if (column === undefined) return styleOf(feature === selected, fills?.(feature.getProperties()));
    const color = classOf(classes, feature.get(column))?.color;
    return styleOf(feature === selected, { fill: color === undefined ? undefined : new Fill({ color }) });
  };
  /** Option for the style of the layer; no column has this name. */
  const own = fills === undefined ? '' : '\u0001';
  const source = new VectorSource({ features });
  const layer = new VectorLayer({ source, style: styles });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => layer.changed());
  const rows = features.map((each) => each.getProperties());
  const numbers = columns.filter(({ name }) => rows.some((row) => typeof row[name] === 'number'));
  const legend = element('div', {});
  const colourBy = (name: string | undefined): void => {
    column = name === '' && fills !== undefined ? name : numbers.find((each) => each.name === name)?.name;
    classes = classesOf(rows.map((row) => row[column ?? '']).filter((value) => typeof value === 'number'));
    const title = numbers.find((each) => each.name === column)?.title;
    const isColoured = column !== undefined && column !== '';
    legend.replaceChildren(...(isColoured ? figures({ rows, classes, column: column ?? '', title: title ?? '' }) : []));
    const select = choice.querySelector('select');
    if (select !== null) select.value = column ?? own;
    layer.changed();
  };
  const options = [
    ...(fills === undefined ? [] : [{ value: own, title: say('mapOwnStyle') }]),
    { value: '', title: say('mapOutlinesOnly') },
    ...numbers.map(({ name, title }) => ({ value: name, title })),
  ];
  const choice = chooser(say('mapColourBy'), options, (value) => {
    colourBy(value === own ? undefined : value);
    onChange();
  });
  return {
    layer,
    select(point) {
      [selected] = source.getFeaturesAtCoordinate([...point]);
      layer.changed();
      return selected?.getProperties();
    },
    colourBy,
    column: () => column,
    panel: element('div', { class: 'map-zones' }, choice, legend),
  };
}

/** Styles of the mark at the last chosen point: a black ring on a white ring, visible on every colour. */
export function pointStyles(): Style[] {
  const ring = (color: string, width: number): Style =>
    new Style({ image: new CircleStyle({ radius: 7, stroke: new Stroke({ color, width }) }), zIndex: 2 });
  return [ring('#fff', 6), ring('#000', 2.5)];
}

/** Style of a feature. Without fill and stroke, its outline has the colour of the page's text. */
function styleOf(isSelected: boolean, drawn: Partial<Drawn> | undefined): Style {
  const ink = getComputedStyle(document.documentElement).getPropertyValue('--ink');
  const fill = drawn?.fill;
  const outline = drawn?.stroke ?? new Stroke({ color: fill === undefined ? ink : '#14262b', width: 1 });
  return new Style({
    stroke: isSelected ? new Stroke({ color: '#d98a00', width: 4 }) : outline,
    ...(fill === undefined ? {} : { fill }),
    ...(fill === undefined ? {} : { image: new CircleStyle({ radius: 4.5, fill, stroke: outline }) }),
    zIndex: isSelected ? 1 : 0,
  });
}

interface Figures {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly classes: readonly NumberClass[];
  readonly column: string;
  readonly title: string;
}

/** Legend, and a table with the value of each polygon. */
function figures({ rows, classes, column, title }: Figures): readonly HTMLElement[] {
  const counts = classes.map((each) => rows.filter((row) => classOf(classes, row[column]) === each).length);
  const lines = classes.map(({ from, to, color }, index) =>
    element(
      'li',
      {},
      swatch(color),
      say('mapRange', { from: numberText(from), to: numberText(to), count: String(counts[index] ?? 0) }),
    ),
  );
  const sorted = rows.toSorted((a, b) => Number(b[column] ?? -Infinity) - Number(a[column] ?? -Infinity));
  const body = sorted.map((row) =>
    element(
      'tr',
      {},
      element('th', { scope: 'row' }, valueText(row['uid'])),
      element('td', { class: 'num' }, valueText(row[column])),
    ),
  );
  const head = [say('mapArea'), title].map((text) => element('th', { scope: 'col' }, text));
  const table = element(
    'table',
    {},
    element('caption', {}, title),
    element('thead', {}, element('tr', {}, ...head)),
    element('tbody', {}, ...body),
  );
  const details = element(
    'details',
    {},
    element('summary', {}, element('span', { class: 'name' }, say('mapTable'))),
    element('div', { class: 'inside scroll' }, table),
  );
  return [element('ul', { class: 'map-breaks', 'aria-label': title }, ...lines), details];
}
