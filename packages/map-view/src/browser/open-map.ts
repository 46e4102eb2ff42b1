import ScaleLine from 'ol/control/ScaleLine.js';
import Zoom from 'ol/control/Zoom.js';
import Feature from 'ol/Feature.js';
import Point from 'ol/geom/Point.js';
import { defaults } from 'ol/interaction/defaults.js';
import VectorLayer from 'ol/layer/Vector.js';
import OlMap from 'ol/Map.js';
import { fromLonLat, toLonLat, transformExtent } from 'ol/proj.js';
import VectorSource from 'ol/source/Vector.js';
import View from 'ol/View.js';
import type { ItemMap } from '@headwater/http-service';
import { coloursOf } from './colours.ts';
import { element, slider, switchesIn } from './elements.ts';
import { type PointFacts, showPoint } from './point.ts';
import { rasterLayer } from './raster-layer.ts';
import { MAP_CRS } from './sample.ts';
import { createSwipe, type Swipe } from './swipe.ts';
import { linkOf, type MapState, readLink } from './view-link.ts';
import { createZones, pointStyles, type Zones } from './zones.ts';

/** Parts of an open map. */
interface Parts {
  readonly map: OlMap;
  readonly target: HTMLElement;
  readonly shown: ItemMap;
  readonly swipe: Swipe | undefined;
  /** Undefined until they are read. */
  zones: Zones | undefined;
}

/** Texts below the map. */
interface Texts {
  /** The last failure, for everyone. */
  readonly failure: HTMLElement;
  /** The class of the point that was read, for screen readers. */
  readonly spoken: HTMLElement;
  /** Facts of the point that was read. */
  readonly point: HTMLElement;
}

/** Opens the map in place of the picture of its page. Throws if it is a vector layer that cannot be read. */
export async function openMap(place: HTMLElement, shown: ItemMap): Promise<void> {
  const state = readLink(location.hash);
  const texts: Texts = {
    failure: element('p', { role: 'status' }),
    spoken: element('p', { role: 'status', class: 'hidden' }),
    point: element('div', { class: 'map-point' }, element('p', {}, 'Choose a point of the map to read it.')),
  };
  const onFailure = (error: unknown): void => {
    texts.failure.textContent = `A part of the map could not be read (${String(error)}). Move the map to try again.`;
  };
  let onChange = (): void => undefined;
  const change = (): void => onChange();
  const [own] = shown.years.filter(({ isThis }) => isThis);
  const reading = shown.zones && createZones(shown.zones, change);
  // A raster does not wait for the polygons above it.
  const zones = own === undefined ? await reading : undefined;
  reading?.then((read) => (parts.zones = addZones(map, read))).catch(onFailure);

  const name = `Map: ${shown.title}. Arrow keys move it, + and - zoom, Enter reads the point in its middle.`;
  const target = element('div', { class: 'map-view', tabindex: '0', role: 'application', 'aria-label': name });
  place.replaceChildren(target);
  const map = createMap(target, shown, state);
  const off = new Set(state?.off);
  const drawing = { box: shown.box, colours: () => coloursOf(shown.classes, off), onFailure };
  const raster = own && rasterLayer(own, drawing);
  if (raster !== undefined) map.addLayer(raster.layer);
  const others = shown.years.filter(({ isThis }) => !isThis);
  const swipe = raster && createSwipe({ map, target, own: raster, others, drawing, onChange: change }, state?.swipe);
  const parts: Parts = { map, target, shown, swipe, zones };
  const opacity = opacityOf(swipe, state?.opacity ?? 100, change);
  zones?.colourBy(state?.column);
  const controls = raster === undefined ? [] : [opacity, ...(swipe?.panel ?? [])];
  const link = element('a', {}, 'Link to this view');
  place.append(
    element(
      'div',
      { class: 'map-panel' },
      element('div', { class: 'map-controls' }, ...controls, ...(zones === undefined ? [] : [zones.panel])),
      element('p', {}, link),
      texts.failure,
      texts.spoken,
      texts.point,
    ),
  );
  const legend = place.closest('.layer') ?? place;
  if (raster === undefined) {
    // The map of a vector layer has colours of its own; the legend explained those of the picture.
    legend.querySelector('.chart caption')?.replaceChildren('Share of each class');
  } else
    switchesIn(legend, off, () => {
      for (const each of swipe?.shown() ?? []) each.redraw();
      change();
    });
  onChange = linkUpdater(link, () => ({
    ...centreOf(map),
    off: [...off].sort((a, b) => a - b),
    opacity: Number(opacity.querySelector('input')?.value ?? 100),
    swipe: swipe?.state(),
    column: zones?.column(),
  }));
  map.on('movestart', () => texts.failure.replaceChildren());
  map.on('moveend', change);
  readPoints(parts, texts, onFailure);
}

function addZones(map: OlMap, zones: Zones): Zones {
  zones.layer.setZIndex(1);
  map.addLayer(zones.layer);
  return zones;
}

/** Slider of the opacity of all years. */
function opacityOf(swipe: Swipe | undefined, percent: number, onChange: () => void): HTMLElement {
  const set = (value: number): void => {
    for (const { layer } of swipe?.shown() ?? []) layer.setOpacity(value / 100);
  };
  set(percent);
  return slider('Opacity of the layer', percent, (value) => {
    set(value);
    onChange();
  });
}

/** Time after the last change until the address of the page follows, ms: browsers refuse more than some changes a second. */
const ADDRESS_MS = 300;

/** Keeps a link and the address of the page at the view that is shown. */
function linkUpdater(link: HTMLAnchorElement, view: () => MapState): () => void {
  let timer: number | undefined;
  return () => {
    link.href = linkOf(view());
    clearTimeout(timer);
    timer = window.setTimeout(() => history.replaceState(history.state, '', link.href), ADDRESS_MS);
  };
}

function createMap(target: HTMLElement, { box }: ItemMap, state: MapState | undefined): OlMap {
  const extent = transformExtent([...box], 'EPSG:4326', MAP_CRS);
  const view = new View({ projection: MAP_CRS, maxZoom: 20, enableRotation: false, center: [0, 0], zoom: 2 });
  const map = new OlMap({
    target,
    view,
    controls: [new Zoom({ zoomInTipLabel: 'Zoom in', zoomOutTipLabel: 'Zoom out' }), new ScaleLine()],
    // The page scrolls over the map until the map has the focus.
    interactions: defaults({ onFocusOnly: true, altShiftDragRotate: false, pinchRotate: false }),
  });
  if (state === undefined) view.fit(extent, { padding: [12, 12, 12, 12] });
  else {
    view.setCenter(fromLonLat([state.longitude, state.latitude]));
    view.setZoom(state.zoom);
  }
  return map;
}

function centreOf(map: OlMap): Pick<MapState, 'longitude' | 'latitude' | 'zoom'> {
  const view = map.getView();
  const [longitude = 0, latitude = 0] = toLonLat(view.getCenter() ?? [0, 0]);
  return { longitude, latitude, zoom: view.getZoom() ?? 0 };
}

/** Reads a point on a click, and the middle of the map on Enter. */
function readPoints(parts: Parts, { spoken, point: panel }: Texts, onFailure: (error: unknown) => void): void {
  const { map, target, shown } = parts;
  const mark = new Feature<Point>();
  const source = new VectorSource({ features: [mark] });
  map.addLayer(new VectorLayer({ source, style: pointStyles(), zIndex: 2 }));
  let asked = 0;
  const read = async (point: readonly number[], share: number): Promise<void> => {
    asked += 1;
    const own = asked;
    mark.setGeometry(new Point([...point]));
    const facts = await factsAt(parts, point, share);
    // A later point may have been read sooner.
    if (own !== asked) return;
    showPoint(panel, facts, shown.zones?.columns ?? []);
    spoken.textContent = spokenText(facts);
  };
  map.on('click', ({ coordinate, pixel }) => {
    read(coordinate, (pixel[0] ?? 0) / (map.getSize()?.[0] ?? 1)).catch(onFailure);
  });
  target.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && event.target === target)
      read(map.getView().getCenter() ?? [0, 0], 0.5).catch(onFailure);
  });
}

function spokenText({ className, confidence, zone }: PointFacts): string {
  const uid = zone?.['uid'];
  return [
    className === '' ? 'No class' : className,
    confidence === undefined ? undefined : `confidence ${confidence} %`,
    typeof uid === 'string' ? `micro-watershed ${uid}` : undefined,
  ]
    .filter((text) => text !== undefined)
    .join(', ');
}

async function factsAt({ shown, swipe, zones }: Parts, point: readonly number[], share: number): Promise<PointFacts> {
  const zone = zones?.select(point);
  const raster = swipe?.at(share);
  const [value, confidence] = await Promise.all([
    raster?.valueAt(point),
    // A year without confidences has a class nevertheless.
    raster?.confidenceAt(point).catch(() => undefined),
  ]);
  const className = shown.classes.find((each) => each.value === value)?.title ?? '';
  return {
    place: placeText(point),
    year: raster?.label ?? '',
    className: raster === undefined ? undefined : className,
    confidence: className === '' ? undefined : confidence,
    zone,
  };
}

function placeText(point: readonly number[]): string {
  const [east = 0, north = 0] = toLonLat([...point]);
  const latitude = `${Math.abs(north).toFixed(5)}° ${north < 0 ? 'S' : 'N'}`;
  return `${latitude}, ${Math.abs(east).toFixed(5)}° ${east < 0 ? 'W' : 'E'}`;
}
