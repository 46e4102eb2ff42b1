import type OlMap from 'ol/Map.js';
import type { ItemMap } from '@headwater/http-service';
import { chooser, element, slider } from './elements.ts';
import { clip, rasterLayer, type Drawing, type RasterLayer } from './raster-layer.ts';
import { say } from './texts.ts';
import type { MapState } from './view-link.ts';

/** Comparison of two years: the page's year on the left, another year on the right of a line. */
export interface Swipe {
  /** State of the comparison; undefined while one year is shown. */
  readonly state: () => MapState['swipe'];
  /** Year at a position (share of the map's width). */
  readonly at: (share: number) => RasterLayer;
  /** All drawn years. */
  readonly shown: () => readonly RasterLayer[];
  readonly panel: readonly HTMLElement[];
}

interface SwipeParts {
  readonly map: OlMap;
  readonly target: HTMLElement;
  readonly own: RasterLayer;
  readonly others: ItemMap['years'];
  readonly drawing: Drawing;
  readonly onChange: () => void;
}

/** Creates the choice of a second year and the slider, which arrow keys also move. */
export function createSwipe(
  { map, target, own, others, drawing, onChange }: SwipeParts,
  state: MapState['swipe'],
): Swipe {
  let at = state?.at ?? 50;
  let other: RasterLayer | undefined;
  const share = (): number | undefined => (other === undefined ? undefined : at / 100);
  clip(own.layer, 'left', share);
  const line = element('div', { class: 'map-line' });
  const names = [element('span', { class: 'map-year left' }, own.label), element('span', { class: 'map-year right' })];
  const marks = [line, ...names];
  target.append(...marks);
  const move = slider(say('mapSwipe'), at, (value) => {
    at = value;
    show();
  });
  const show = (): void => {
    for (const each of [...marks, move]) each.hidden = other === undefined;
    line.style.left = `${at}%`;
    if (names[1] !== undefined) names[1].textContent = other?.label ?? '';
    map.render();
    onChange();
  };
  const choose = (label: string): void => {
    if (other !== undefined) map.removeLayer(other.layer);
    const year = others.find((each) => each.label === label);
    other = year === undefined ? undefined : rasterLayer(year, drawing);
    if (other !== undefined) {
      other.layer.setOpacity(own.layer.getOpacity());
      clip(other.layer, 'right', share);
      map.getLayers().insertAt(1, other.layer);
    }
    show();
  };
  const options = [{ value: '', title: say('mapNoOther') }].concat(
    others.map(({ label }) => ({ value: label, title: label })),
  );
  const choice = chooser(say('mapCompare', { year: own.label }), options, choose);
  const select = choice.querySelector('select');
  if (state !== undefined && others.some(({ label }) => label === state.year) && select !== null) {
    select.value = state.year;
    choose(state.year);
  } else show();
  return {
    state: () => (other === undefined ? undefined : { year: other.label, at }),
    at: (place) => (other !== undefined && place > at / 100 ? other : own),
    shown: () => (other === undefined ? [own] : [own, other]),
    panel: others.length === 0 ? [] : [choice, move],
  };
}
