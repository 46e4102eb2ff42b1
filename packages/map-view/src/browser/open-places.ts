import type Feature from 'ol/Feature.js';
import type { FeatureLike } from 'ol/Feature.js';
import GeoJSON from 'ol/format/GeoJSON.js';
import VectorLayer from 'ol/layer/Vector.js';
import type OlMap from 'ol/Map.js';
import { fromLonLat, transformExtent } from 'ol/proj.js';
import VectorSource from 'ol/source/Vector.js';
import CircleStyle from 'ol/style/Circle.js';
import Fill from 'ol/style/Fill.js';
import Stroke from 'ol/style/Stroke.js';
import Style from 'ol/style/Style.js';
import Text from 'ol/style/Text.js';
import type { PlacesMap } from '@headwater/http-service';
import { classOf, numberText } from '@headwater/http-service/number-classes';
import { type BaseMap, createBase, languageLinks, mapTarget, onPoint } from './base-map.ts';
import { element, linkUpdater, swatch } from './elements.ts';
import { MAP_CRS } from './sample.ts';
import { say } from './texts.ts';
import { type MapState, readLink } from './view-link.ts';

const MOST_LAYERS = 10;

/** Opens the map of places. Outlines are read again for each view. */
export async function openPlaces(place: HTMLElement, shown: PlacesMap): Promise<void> {
  const failure = element('p', { role: 'status' });
  const onFailure = (error: unknown): void => {
    failure.textContent = say('mapPartFailed', { error: String(error) });
  };
  let onChange = (): void => undefined;
  const target = mapTarget(say('mapOfPlaces'));
  const panel = element('div', { class: 'map-point', 'aria-live': 'polite' }, element('p', {}, say('mapChoosePlace')));
  const link = element('a', {}, say('mapLink'));
  place.replaceChildren(target);
  const base = createBase({ target, shown, state: readLink(location.hash), onChange: () => onChange(), onFailure });
  const { layer, source } = placesLayer(shown);
  base.map.addLayer(layer);
  onChange = linkUpdater(link, (): MapState => ({ ...NO_LAYER, ...base.state() }));
  const read = reader(base.map, source, shown);
  const update = (): void => {
    onChange();
    read().catch(onFailure);
  };
  base.map.on('movestart', () => failure.replaceChildren());
  base.map.on('moveend', update);
  // The listener is also called here, because the first view may have been drawn before it was added.
  update();
  onPoint(base, (point) => {
    // Waits for the places of the view, because the user may click before they have been read.
    read()
      .then(() => choose(base, source, { panel, point }))
      .catch(onFailure);
  });
  place.append(
    element(
      'div',
      { class: 'map-panel' },
      element('div', { class: 'map-controls' }, ...base.controls),
      legendOf(shown),
      element('p', {}, link, ...languageLinks(shown, link)),
      failure,
      panel,
    ),
  );
}

const NO_LAYER = { off: [], opacity: 100, swipe: undefined, column: undefined } as const;

function legendOf({ classes }: PlacesMap): HTMLElement {
  const title = say('mapLayers');
  const lines = classes.map(({ from, to, color }) =>
    element(
      'li',
      {},
      swatch(color),
      from === to
        ? say('mapLayerCount', { count: numberText(from) })
        : say('mapLayerRange', { from: numberText(from), to: numberText(to) }),
    ),
  );
  return element(
    'div',
    {},
    element('p', { class: 'name' }, title),
    element('ul', { class: 'map-breaks', 'aria-label': title }, ...lines),
  );
}

function placesLayer({ classes }: PlacesMap): { readonly layer: VectorLayer; readonly source: VectorSource } {
  const source = new VectorSource();
  const style = (feature: FeatureLike): Style => {
    const color = classOf(classes, feature.get('layers'))?.color ?? '#fff';
    const fill = new Fill({ color });
    const stroke = new Stroke({ color: '#14262b', width: 1.5 });
    const places: unknown = feature.get('places');
    if (typeof places !== 'number') return new Style({ fill, stroke });
    const radius = Math.min(28, 12 + 3 * Math.log2(places));
    const outline = new Stroke({ color: '#fff', width: 3 });
    const text = new Text({
      text: String(places),
      font: '600 13px system-ui, sans-serif',
      fill: new Fill({ color: '#000' }),
      stroke: outline,
    });
    return new Style({ image: new CircleStyle({ radius, fill, stroke }), text });
  };
  return { source, layer: new VectorLayer({ source, style, declutter: false }) };
}

/** Reads the places of the view. A changed view aborts the earlier request. */
function reader(map: OlMap, source: VectorSource, { outlines }: PlacesMap): () => Promise<void> {
  let last: { readonly box: string; readonly ending: AbortController; readonly done: Promise<void> } | undefined;
  const format = new GeoJSON<Feature>({ featureProjection: MAP_CRS });
  const load = async (box: string, { signal }: AbortController): Promise<void> => {
    try {
      const response = await fetch(`${outlines}?${new URLSearchParams({ box })}`, { signal });
      if (!response.ok) throw new Error(`${outlines} responded ${response.status}`);
      const features = format.readFeatures(await response.text());
      source.clear(true);
      source.addFeatures(features);
    } catch (error) {
      if (signal.aborted) return;
      // `last` is reset, so that the next call repeats the request.
      last = undefined;
      throw error;
    }
  };
  return async () => {
    const extent = transformExtent(map.getView().calculateExtent(map.getSize()), MAP_CRS, 'EPSG:4326');
    const box = extent
      .map((degrees, index) => {
        const most = index % 2 === 0 ? 180 : 90;
        return Math.min(most, Math.max(-most, degrees)).toFixed(4);
      })
      .join(',');
    if (last?.box !== box) {
      last?.ending.abort();
      const ending = new AbortController();
      last = { box, ending, done: load(box, ending) };
    }
    await last.done;
  };
}

interface Choice {
  readonly panel: HTMLElement;
  readonly point: readonly number[];
}

/**
 * Shows the place at a point with its layers. If the point is on a circle that stands for several places, zooms in on
 * the circle instead.
 */
async function choose({ map }: BaseMap, source: VectorSource, { panel, point }: Choice): Promise<void> {
  const pixel = map.getPixelFromCoordinate([...point]);
  const feature =
    map.getFeaturesAtPixel(pixel, { hitTolerance: 4 }).find((each) => each.get('layers') !== undefined) ??
    source.getFeaturesAtCoordinate([...point])[0];
  if (feature === undefined) {
    panel.replaceChildren(element('p', {}, say('mapNoPlace')));
    return;
  }
  if (typeof feature.get('places') === 'number') {
    const view = map.getView();
    const centre = feature.getGeometry()?.getExtent() ?? [...fromLonLat([0, 0])];
    view.animate({ center: [centre[0] ?? 0, centre[1] ?? 0], zoom: (view.getZoom() ?? 0) + 2, duration: 0 });
    return;
  }
  const [name, above, href, layers] = ['name', 'above', 'href', 'layers'].map((key) => String(feature.get(key)));
  const list = element('ul', {});
  panel.replaceChildren(
    element('p', { class: 'name' }, element('a', { href: href ?? '' }, name ?? '')),
    element('p', {}, `${above ?? ''}: ${say('mapLayerCount', { count: layers ?? '' })}`),
    list,
  );
  list.append(...(await layersOf(href ?? '')));
}

interface Collection {
  readonly links: readonly { readonly rel: string; readonly href: string; readonly title?: string }[];
}

async function layersOf(href: string): Promise<readonly HTMLElement[]> {
  const response = await fetch(href, { headers: { accept: 'application/json' } });
  if (!response.ok) throw new Error(`${href} responded ${response.status}`);
  const { links } = (await response.json()) as Collection;
  const items = links.filter(({ rel }) => rel === 'item');
  const shown = items.slice(0, MOST_LAYERS).map(({ href: address, title }) => {
    // Only the path is used, because the host name of this page may differ from the public address.
    const path = new URL(address, location.href).pathname;
    return element('li', { lang: 'en' }, element('a', { href: path }, title ?? path));
  });
  const more = items.length - shown.length;
  return more > 0 ? [...shown, element('li', {}, say('mapMore', { count: String(more) }))] : shown;
}
