import type { Tehsil } from '@headwater/core/ports';
import { boxOf, multiCoordinates, type Outline } from '@headwater/core/geo';
import { html, raw } from 'hono/html';
import type { Html } from '../../../pages/layout.ts';
import { type Frame, frameOf, graticule, WIDTH } from '../../../pages/places-map.ts';

/** A tehsil of a district with the address that its shape leads to. */
export type TehsilShape = Pick<Tehsil, 'name' | 'geometry'> & { readonly href: string };

/** Map of the tehsils of a district, each shape a link; '' if no boundary is known. The list of the same links is next to it. */
export function tehsilsMap(tehsils: readonly TehsilShape[], label: string): Html | '' {
  const drawn = tehsils.flatMap(({ geometry, ...rest }) => (geometry === null ? [] : [{ ...rest, geometry }]));
  if (drawn.length === 0) return '';
  const frame = frameOf(boxOf(drawn.map(({ geometry }) => geometry)));
  return html`<svg class="placesmap" viewBox="0 0 ${WIDTH} ${frame.height}" role="group" aria-label="${label}">
    ${graticule(frame)}
    ${drawn.map(
      ({ name, href, geometry }) =>
        html`<a href="${href}" aria-label="${name}">
          <title>${name}</title> <path fill-rule="evenodd" d="${raw(pathOf(geometry, frame))}"
        /></a> `,
    )}
  </svg>`;
}

/** Rings as an SVG path of whole units; a point that equals the previous one is left out. */
function pathOf(outline: Outline, { x, y }: Frame): string {
  const pointAt = ([longitude = 0, latitude = 0]: readonly number[]): string =>
    `${Math.round(x(longitude))} ${Math.round(y(latitude))}`;
  return multiCoordinates([outline])
    .flat()
    .map((ring) => {
      const points = ring.map(pointAt).filter((point, index, all) => point !== all[index - 1]);
      return `M${points.join('L')}Z`;
    })
    .join('');
}
