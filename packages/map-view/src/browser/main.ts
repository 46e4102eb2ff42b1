import type { ItemMap, PlacesMap } from '@headwater/http-service';
import { element } from './elements.ts';
import { adoptStyle } from './style.ts';
import { say, useTexts } from './texts.ts';
import { readLink } from './view-link.ts';

/** Adds a button that opens the map to the picture of a page; a link to a view opens the map at once. */
function prepare(place: HTMLElement, shown: ItemMap | PlacesMap): void {
  useTexts(shown.texts);
  adoptStyle();
  const button = element('button', { type: 'button', class: 'button' }, say('mapOpen'));
  const message = element('p', { role: 'status', class: 'soft' });
  const open = async (isAsked: boolean): Promise<void> => {
    button.disabled = true;
    message.textContent = say('mapLoading');
    try {
      if ('outlines' in shown) await (await import('./open-places.ts')).openPlaces(place, shown);
      else await (await import('./open-map.ts')).openMap(place, shown);
      if (isAsked) place.querySelector<HTMLElement>('.map-view')?.focus();
    } catch (error) {
      button.disabled = false;
      message.textContent = say('mapNotOpened', { error: String(error) });
      place.replaceChildren(button, message);
    }
  };
  button.addEventListener('click', () => void open(true));
  place.append(button, message);
  if (readLink(location.hash) !== undefined) void open(false);
}

const place = document.querySelector<HTMLElement>('[data-map],[data-places]');
const data = place?.dataset['map'] ?? place?.dataset['places'];
if (place && data !== undefined) prepare(place, JSON.parse(data) as ItemMap | PlacesMap);
