import { html } from 'hono/html';
import type { MapService } from '../../../items/map-links.ts';
import type { Html } from '../../../pages/layout.ts';
import { copyText } from '../../../pages/parts.ts';
import type { Say } from '../../../pages/texts.ts';

/** Addresses at which map programs find a layer. */
export interface ShownServices {
  readonly layer: string;
  readonly services: readonly MapService[];
}

/** Addresses of the map services of each layer. Empty without map server. */
export function useThisMap(layers: readonly ShownServices[], say: Say): Html | '' {
  if (layers.length === 0) return '';
  return html`<h2 id="use">${say('useMap')}</h2>
    <p>${say('useMapInQgis')}</p>
    ${layers.map(
      ({ layer, services }) =>
        html`<p>${say('layerName')} <code>${layer}</code></p>
          <ul class="plain">
            ${services.map(
              ({ name, address }) =>
                html`<li>
                  <b lang="en">${name}</b> ${copyText(address, say('serviceAddress', { service: name, layer }))}
                </li> `,
            )}
          </ul> `,
    )}`;
}
