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
import { MAP_CRS } from './crs.ts';
import { element, slider } from './elements.ts';
import { switchesIn } from './legend.ts';
import { type PointFacts, showPoint } from './point.ts';
import { rasterLayer } from './raster-layer.ts';
import { STYLE } from './style.ts';
import { createSwipe, type Swipe } from './swipe.ts';
import { linkOf, type MapState, readLink } from './view-link.ts';
import { createZones, pointStyles, type Zones } from './zones.ts';

/** Parts of an open map. */
interface Parts {
  readonly map: OlMap;
  readonly target: HTMLElement;
  readonly shown: ItemMap;
  readonly swipe: Swipe | undefined;
  readonly zones: Zones | undefined;
}

/** Opens the map in place of the picture of its page. Throws if its polygons cannot be read. */
export async function openMap(place: HTMLElement, shown: ItemMap): Promise<void> {
  const state = readLink(location.hash);
  const name = `Map: ${shown.title}. Arrow keys move it, + and - zoom, Enter reads the point in its middle.`;
  const target = element('div', { class: 'map-view', tabindex: '0', role: 'application', 'aria-label': name });
  const message = element('p', { role: 'status' });
  const spoken = element('p', { role: 'status', class: 'hidden' });
  const link = element('a', {}, 'Link to this view');
  const off = new Set(state?.off);
  let onChange = (): void => undefined;
  const change = (): void => onChange();
  const zones = shown.zones && (await createZones(shown.zones, change));
  adopt(STYLE);
  place.replaceChildren(target);
  const map = createMap(target, shown, state);
  const [own] = shown.years.filter(({ isThis }) => isThis);
  const drawing = {
    box: shown.box,
    colours: () => coloursOf(shown.classes, off),
    onFailure: (error: unknown) => {
      message.textContent = `A part of the map could not be read (${String(error)}). Move the map to try again.`;
    },
  };
  const raster = own && rasterLayer(own, drawing);
  if (raster !== undefined) map.addLayer(raster.layer);
  if (zones !== undefined) map.addLayer(zones.layer);
  const others = shown.years.filter(({ isThis }) => !isThis);
  const swipe = raster && createSwipe({ map, target, own: raster, others, drawing, onChange: change }, state?.swipe);
  const opacity = slider('Opacity of the layer', state?.opacity ?? 100, (value) => {
    for (const { layer } of swipe?.shown() ?? []) layer.setOpacity(value / 100);
    change();
  });
  zones?.colourBy(raster === undefined ? state?.column : undefined);
  const controls = element('div', { class: 'map-controls' }, ...(raster === undefined ? [] : [opacity]));
  controls.append(...(swipe?.panel ?? []), ...(raster === undefined && zones !== undefined ? [zones.panel] : []));
  const point = element('div', { class: 'map-point' }, element('p', {}, 'Choose a point of the map to read it.'));
  place.append(element('div', { class: 'map-panel' }, controls, element('p', {}, link), message, spoken, point));
  const redraw = (): void => {
    for (const each of swipe?.shown() ?? []) each.redraw();
    change();
  };
  const legend = place.closest('.layer') ?? place;
  if (raster !== undefined) switchesIn(legend, off, redraw);
  // The map of a vector layer has colours of its own; the legend explained those of the picture.
  else legend.querySelector('.chart caption')?.replaceChildren('Share of each class');
  const percent = (): number => Number(opacity.querySelector('input')?.value ?? 100);
  for (const { layer } of swipe?.shown() ?? []) layer.setOpacity(percent() / 100);
  onChange = () => {
    link.href = linkOf({
      ...centreOf(map),
      off: [...off].sort((a, b) => a - b),
      opacity: percent(),
      swipe: swipe?.state(),
      column: zones?.column(),
    });
    history.replaceState(history.state, '', link.href);
  };
  map.on('moveend', change);
  readPoints({ map, target, shown, swipe, zones }, (facts) => {
    showPoint(point, facts, shown.zones?.columns ?? []);
    spoken.textContent = [facts.className || undefined, facts.confidence && `confidence ${facts.confidence} %`]
      .filter(Boolean)
      .join(', ');
  });
}

function adopt(style: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
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
function readPoints({ map, target, shown, swipe, zones }: Parts, show: (facts: PointFacts) => void): void {
  const mark = new Feature<Point>();
  const source = new VectorSource({ features: [mark] });
  map.addLayer(new VectorLayer({ source, style: pointStyles() }));
  let asked = 0;
  const read = async (point: readonly number[], share: number): Promise<void> => {
    asked += 1;
    const own = asked;
    mark.setGeometry(new Point([...point]));
    const zone = zones?.select(point);
    const raster = swipe?.at(share);
    const [value, confidence] = await Promise.all([raster?.valueAt(point), raster?.confidenceAt(point)]);
    // A later point may have been read sooner.
    if (own !== asked) return;
    const className = shown.classes.find((each) => each.value === value)?.title ?? '';
    show({
      place: placeText(point),
      year: raster?.label ?? '',
      className: raster === undefined ? undefined : className,
      confidence: className === '' ? undefined : confidence,
      zone,
    });
  };
  map.on('click', ({ coordinate, pixel }) => void read(coordinate, (pixel[0] ?? 0) / (map.getSize()?.[0] ?? 1)));
  target.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && event.target === target) void read(map.getView().getCenter() ?? [0, 0], 0.5);
  });
}

function placeText(point: readonly number[]): string {
  const [east = 0, north = 0] = toLonLat([...point]);
  const latitude = `${Math.abs(north).toFixed(5)}° ${north < 0 ? 'S' : 'N'}`;
  return `${latitude}, ${Math.abs(east).toFixed(5)}° ${east < 0 ? 'W' : 'E'}`;
}
