import type BaseLayer from 'ol/layer/Base.js';
import ScaleLine from 'ol/control/ScaleLine.js';
import Zoom from 'ol/control/Zoom.js';
import { defaults } from 'ol/interaction/defaults.js';
import TileLayer from 'ol/layer/Tile.js';
import OlMap from 'ol/Map.js';
import { fromLonLat, toLonLat, transformExtent } from 'ol/proj.js';
import ImageTile from 'ol/source/ImageTile.js';
import View from 'ol/View.js';
import type { ItemMap, PlacesMap } from '@headwater/http-service';
import { checkbox, chooser, element } from './elements.ts';
import { MAP_CRS } from './sample.ts';
import { say } from './texts.ts';
import type { MapState } from './view-link.ts';

/** Parts of every map: view, lines of latitude and longitude, backgrounds. */
export interface BaseMap {
  readonly map: OlMap;
  readonly target: HTMLElement;
  /** Choice of the background and the lines. */
  readonly controls: readonly HTMLElement[];
  readonly state: () => Pick<MapState, 'longitude' | 'latitude' | 'zoom' | 'lines' | 'background'>;
}

interface BaseParts {
  readonly target: HTMLElement;
  readonly shown: ItemMap | PlacesMap;
  readonly state: MapState | undefined;
  readonly onChange: () => void;
  readonly onFailure: (error: unknown) => void;
}

/** Creates a map that shows the view of a link (`state`). Without `state`, it shows `shown.box`. */
export function createBase({ target, shown, state, onChange, onFailure }: BaseParts): BaseMap {
  const view = new View({ projection: MAP_CRS, maxZoom: 20, enableRotation: false, center: [0, 0], zoom: 2 });
  const map = new OlMap({
    target,
    view,
    controls: [new Zoom({ zoomInTipLabel: say('mapZoomIn'), zoomOutTipLabel: say('mapZoomOut') }), new ScaleLine()],
    // The mouse wheel zooms only a focused map; otherwise the wheel scrolls the page.
    interactions: defaults({ onFocusOnly: true, altShiftDragRotate: false, pinchRotate: false }),
  });
  if (state === undefined)
    view.fit(transformExtent([...shown.box], 'EPSG:4326', MAP_CRS), { padding: [12, 12, 12, 12] });
  else {
    view.setCenter(fromLonLat([state.longitude, state.latitude]));
    view.setZoom(state.zoom);
  }
  const background = backgroundsOf(map, target, shown);
  background.show(state?.background);
  let lines: BaseLayer | undefined;
  let hasLines = false;
  const draw = async (isOn: boolean): Promise<void> => {
    hasLines = isOn;
    // The code of the lines is a separate chunk, because few maps need lines.
    if (isOn && lines === undefined) {
      const { graticule } = await import('./graticule.ts');
      lines ??= graticule();
      map.addLayer(lines);
    }
    lines?.setVisible(hasLines);
  };
  if (state?.lines === true) draw(true).catch(onFailure);
  const linesBox = checkbox(say('mapLines'), state?.lines === true, (isOn) => {
    draw(isOn).catch(onFailure);
    onChange();
  });
  const choice = chooser(
    say('mapBackground'),
    [{ value: '', title: say('mapNoBackground') }].concat(
      shown.backgrounds.map(({ name }) => ({ value: name, title: name })),
    ),
    (name) => {
      background.show(name);
      onChange();
    },
  );
  const select = choice.querySelector('select');
  if (select !== null) select.value = background.name() ?? '';
  return {
    map,
    target,
    controls: shown.backgrounds.length === 0 ? [linesBox] : [choice, linesBox],
    state: () => ({ ...centreOf(view), lines: hasLines, background: background.name() }),
  };
}

function centreOf(view: View): Pick<MapState, 'longitude' | 'latitude' | 'zoom'> {
  const [longitude = 0, latitude = 0] = toLonLat(view.getCenter() ?? [0, 0]);
  return { longitude, latitude, zoom: view.getZoom() ?? 0 };
}

interface Background {
  readonly show: (name: string | undefined) => void;
  readonly name: () => string | undefined;
}

/** Shows one background, or none. A background is loaded when it is chosen. */
function backgroundsOf(map: OlMap, target: HTMLElement, { backgrounds }: ItemMap | PlacesMap): Background {
  const credit = element('p', { class: 'map-credit' });
  let shown: { readonly name: string; readonly layer: TileLayer } | undefined;
  return {
    name: () => shown?.name,
    show: (name) => {
      if (shown !== undefined) map.removeLayer(shown.layer);
      credit.remove();
      shown = undefined;
      const found = backgrounds.find((each) => each.name === name);
      if (found === undefined) return;
      // The tile server may require the origin of the page, so the origin is sent. The full address is not sent.
      const source = new ImageTile({ url: found.url, referrerPolicy: 'origin', maxZoom: 19 });
      shown = { name: found.name, layer: new TileLayer({ source, zIndex: -1, className: 'map-background' }) };
      map.addLayer(shown.layer);
      credit.textContent = found.attribution;
      target.append(credit);
    },
  };
}

/** Creates the element of a map; `title` is in its accessible name. */
export function mapTarget(title: string): HTMLElement {
  const name = say('mapLabel', { title });
  return element('div', { class: 'map-view', tabindex: '0', role: 'application', 'aria-label': name });
}

/**
 * Calls `read` with each clicked point, or with the middle of the map on Enter. `share`: distance of the point from the
 * left edge, as a share of the width.
 */
export function onPoint({ map, target }: BaseMap, read: (point: readonly number[], share: number) => void): void {
  map.on('click', ({ coordinate, pixel }) => read(coordinate, (pixel[0] ?? 0) / (map.getSize()?.[0] ?? 1)));
  target.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && event.target === target) read(map.getView().getCenter() ?? [0, 0], 0.5);
  });
}

/** Links to the page in other languages. A click adds the current view of the map (the hash of `view`) to the link. */
export function languageLinks({ others }: ItemMap | PlacesMap, view: HTMLAnchorElement): readonly (Node | string)[] {
  return others.flatMap(({ href, language, title }) => {
    const link = element('a', { href, hreflang: language, lang: language }, title);
    link.addEventListener('click', () => (link.href = href + view.hash));
    return [' ', link];
  });
}
