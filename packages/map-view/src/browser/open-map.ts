import Feature from 'ol/Feature.js';
import Point from 'ol/geom/Point.js';
import VectorLayer from 'ol/layer/Vector.js';
import type OlMap from 'ol/Map.js';
import { toLonLat } from 'ol/proj.js';
import VectorSource from 'ol/source/Vector.js';
import type { ItemMap } from '@headwater/http-service';
import { numberText } from '@headwater/http-service/number-classes';
import { type BaseMap, createBase, languageLinks, mapTarget, onPoint } from './base-map.ts';
import { coloursOf, pixelsOf, rampPixels, readRamp } from './colours.ts';
import { element, hiddenAtFirst, linkUpdater, slider, switchesIn } from './elements.ts';
import { type Drawing, rasterLayer } from './raster-layer.ts';
import { createSwipe, type Swipe } from './swipe.ts';
import { say } from './texts.ts';
import { readLink } from './view-link.ts';
import { createZones, pointStyles, type Zones, valueText } from './zones.ts';

interface Parts {
  readonly base: BaseMap;
  readonly shown: ItemMap;
  readonly swipe: Swipe | undefined;
  zones: Zones | undefined;
}

interface Texts {
  /** The last failure, visible; cleared when the map moves. */
  readonly failure: HTMLElement;
  /** Class or value at the last point, only for screen readers. */
  readonly spoken: HTMLElement;
  readonly point: HTMLElement;
}

/**
 * Replaces the picture of the page with the interactive map. Throws if the style of the colour ramp cannot be read.
 * Without a raster, also throws if the polygons or their style cannot be read.
 */
export async function openMap(place: HTMLElement, shown: ItemMap): Promise<void> {
  const state = readLink(location.hash);
  const texts: Texts = {
    failure: element('p', { role: 'status' }),
    spoken: element('p', { role: 'status', class: 'hidden' }),
    point: element('div', { class: 'map-point' }, element('p', {}, say('mapChoosePoint'))),
  };
  const onFailure = (error: unknown): void => {
    texts.failure.textContent = say('mapPartFailed', { error: String(error) });
  };
  let onChange = (): void => undefined;
  const change = (): void => onChange();
  const [own] = shown.years.filter(({ isThis }) => isThis);
  const reading = shown.zones && createZones(shown.zones, change);
  // Does not wait for the polygons if there is a raster, which is shown first.
  const zones = own === undefined ? await reading : undefined;
  const legend = place.closest('.layer') ?? place;
  const values = shown.classes.map(({ value }) => value);
  const off = new Set(state?.off ?? hiddenAtFirst(legend, values));

  const paint = await painterOf(shown, off);
  const target = mapTarget(shown.title);
  place.replaceChildren(target);
  const base = createBase({ target, shown, state, onChange: change, onFailure });
  const { map } = base;
  const drawing = { box: shown.box, pixels: paint, onFailure };
  const raster = own && rasterLayer(own, drawing);
  if (raster !== undefined) map.addLayer(raster.layer);
  const others = shown.years.filter(({ isThis }) => !isThis);
  const swipe = raster && createSwipe({ map, target, own: raster, others, drawing, onChange: change }, state?.swipe);
  const parts: Parts = { base, shown, swipe, zones };
  reading?.then((read) => (parts.zones = addZones(map, read))).catch(onFailure);
  const opacity = opacityOf(swipe, state?.opacity ?? 100, change);
  zones?.colourBy(state?.column);
  const controls = [...(raster === undefined ? [] : [opacity, ...(swipe?.panel ?? [])]), ...base.controls];
  const link = element('a', {}, say('mapLink'));
  place.append(
    element(
      'div',
      { class: 'map-panel' },
      element('div', { class: 'map-controls' }, ...controls, ...(zones === undefined ? [] : [zones.panel])),
      element('p', {}, link, ...languageLinks(shown, link)),
      texts.failure,
      texts.spoken,
      texts.point,
    ),
  );
  if (raster === undefined) {
    // If the layer has no style, the map has other colours than the picture, so the caption must not name colours.
    if (shown.zones?.style === undefined) legend.querySelector('.chart caption')?.replaceChildren(say('mapShares'));
  } else if (shown.ramp === undefined)
    switchesIn(legend, off, () => {
      for (const each of swipe?.shown() ?? []) each.redraw();
      change();
    });
  onChange = linkUpdater(link, () => ({
    ...base.state(),
    off: [...off].sort((a, b) => a - b),
    opacity: Number(opacity.querySelector('input')?.value ?? 100),
    swipe: swipe?.state(),
    column: zones?.column(),
  }));
  map.on('movestart', () => texts.failure.replaceChildren());
  map.on('moveend', change);
  // The listener is also called here, because the first view may have been drawn before it was added.
  change();
  readPoints(parts, texts, onFailure);
}

/** Returns the function that colours pixels: by the ramp, or without a ramp by the classes that are switched on. */
async function painterOf({ ramp, classes }: ItemMap, off: ReadonlySet<number>): Promise<Drawing['pixels']> {
  if (ramp === undefined) return (values) => pixelsOf(values, coloursOf(classes, off));
  const stops = await readRamp(ramp.style);
  return (values) => rampPixels(values, stops);
}

function addZones(map: OlMap, zones: Zones): Zones {
  zones.layer.setZIndex(1);
  map.addLayer(zones.layer);
  return zones;
}

function opacityOf(swipe: Swipe | undefined, percent: number, onChange: () => void): HTMLElement {
  const set = (value: number): void => {
    for (const { layer } of swipe?.shown() ?? []) layer.setOpacity(value / 100);
  };
  set(percent);
  return slider(say('mapOpacity'), percent, (value) => {
    set(value);
    onChange();
  });
}

/** Reads a clicked point, or the middle of the map on Enter. */
function readPoints(parts: Parts, { spoken, point: panel }: Texts, onFailure: (error: unknown) => void): void {
  const { base, shown } = parts;
  const mark = new Feature<Point>();
  const source = new VectorSource({ features: [mark] });
  base.map.addLayer(new VectorLayer({ source, style: pointStyles(), zIndex: 4 }));
  let asked = 0;
  const read = async (point: readonly number[], share: number): Promise<void> => {
    asked += 1;
    const own = asked;
    mark.setGeometry(new Point([...point]));
    const facts = await factsAt(parts, point, share);
    if (own !== asked) return;
    showPoint(panel, facts, shown.zones?.columns ?? []);
    spoken.textContent = spokenText(facts);
  };
  onPoint(base, (point, share) => {
    read(point, share).catch(onFailure);
  });
}

function spokenText(facts: PointFacts): string {
  const { confidence, zone } = facts;
  const uid = zone?.['uid'];
  return [
    readingText(facts),
    confidence === undefined ? undefined : say('mapSpokenConfidence', { percent: String(confidence) }),
    typeof uid === 'string' ? say('mapSpokenUid', { uid }) : undefined,
  ]
    .filter((text) => text !== undefined)
    .join(', ');
}

async function factsAt({ shown, swipe, zones }: Parts, point: readonly number[], share: number): Promise<PointFacts> {
  const zone = zones?.select(point);
  const raster = swipe?.at(share);
  const [value, confidence] = await Promise.all([
    raster?.valueAt(point),
    // The class is shown even if the confidence cannot be read.
    raster?.confidenceAt(point).catch(() => undefined),
  ]);
  const reading = raster === undefined ? undefined : readingOf(shown, value);
  return {
    place: placeText(point),
    year: raster?.label ?? '',
    reading,
    isMeasured: shown.ramp !== undefined,
    confidence: reading === '' ? undefined : confidence,
    zone,
  };
}

/** Title of the class, or value with its unit; '' if there is none. */
function readingOf({ classes, ramp }: ItemMap, value: number | undefined): string {
  if (ramp === undefined) return classes.find((each) => each.value === value)?.title ?? '';
  return value === undefined ? '' : `${numberText(value)} ${ramp.unit}`.trim();
}

function placeText(point: readonly number[]): string {
  const [east = 0, north = 0] = toLonLat([...point]);
  const latitude = `${Math.abs(north).toFixed(5)}° ${say(north < 0 ? 'mapSouth' : 'mapNorth')}`;
  return `${latitude}, ${Math.abs(east).toFixed(5)}° ${say(east < 0 ? 'mapWest' : 'mapEast')}`;
}

interface PointFacts {
  readonly place: string;
  readonly year: string;
  /** Class or value at the point; '' if there is none. Undefined for a vector layer. */
  readonly reading: string | undefined;
  /** True for measured values instead of classes. */
  readonly isMeasured: boolean;
  readonly confidence: number | undefined;
  readonly zone: Readonly<Record<string, unknown>> | undefined;
}

function readingText({ reading, isMeasured }: Pick<PointFacts, 'reading' | 'isMeasured'>): string | undefined {
  return reading === '' ? say(isMeasured ? 'mapNoValue' : 'mapNoClass') : reading;
}

/**
 * Shows the facts at a point: the class with its confidence, or the measured value. Below them are the figures of the
 * micro-watershed.
 */
function showPoint(
  panel: HTMLElement,
  point: PointFacts,
  columns: readonly { readonly name: string; readonly title: string }[],
): void {
  const { place, year, isMeasured, confidence, zone } = point;
  const named = isMeasured ? (['mapValue', 'mapValueIn'] as const) : (['mapClass', 'mapClassIn'] as const);
  const facts: readonly (readonly [string, string | undefined])[] = [
    [year === '' ? say(named[0]) : say(named[1], { year }), readingText(point)],
    [say('mapConfidence'), confidence === undefined ? undefined : `${confidence} %`],
    [say('mapUid'), valueText(zone?.['uid']) || undefined],
    [say('mapPlace'), place],
  ];
  const list = element('dl', { class: 'facts' });
  for (const [name, value] of facts)
    if (value !== undefined) list.append(element('div', {}, element('dt', {}, name), element('dd', {}, value)));
  panel.replaceChildren(element('p', { class: 'name' }, say('mapAtPoint')), list);
  const rows = columns.flatMap(({ name, title }) => {
    const value = zone === undefined || name === 'uid' ? '' : valueText(zone[name]);
    if (value === '') return [];
    return [
      element('tr', {}, element('th', { scope: 'row', lang: 'en' }, title), element('td', { class: 'num' }, value)),
    ];
  });
  if (rows.length === 0) return;
  const uid = valueText(zone?.['uid']);
  const name = uid === '' ? say('mapFigures') : say('mapFiguresOf', { uid });
  const table = element('table', {}, element('caption', {}, name), element('tbody', {}, ...rows));
  panel.append(element('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': name }, table));
}
