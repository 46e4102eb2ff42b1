import type { ItemMap } from '@headwater/http-service';
import { element } from './elements.ts';
import { adoptStyle } from './style.ts';
import { readLink } from './view-link.ts';

/** Adds a button that opens the map to the picture of a layer; a link to a view opens the map at once. */
function prepare(place: HTMLElement, text: string): void {
  const shown = JSON.parse(text) as ItemMap;
  adoptStyle();
  const button = element('button', { type: 'button', class: 'button' }, 'Open the interactive map');
  const message = element('p', { role: 'status', class: 'soft' });
  const open = async (isAsked: boolean): Promise<void> => {
    button.disabled = true;
    message.textContent = 'The map is loading …';
    try {
      const { openMap } = await import('./open-map.ts');
      await openMap(place, shown);
      if (isAsked) place.querySelector<HTMLElement>('.map-view')?.focus();
    } catch (error) {
      button.disabled = false;
      message.textContent = `The map could not be opened (${String(error)}). Check the connection and try again.`;
    }
  };
  button.addEventListener('click', () => void open(true));
  place.append(button, message);
  if (readLink(location.hash) !== undefined) void open(false);
}

const place = document.querySelector<HTMLElement>('[data-map]');
if (place?.dataset['map'] !== undefined) prepare(place, place.dataset['map']);
