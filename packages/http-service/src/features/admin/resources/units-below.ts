import type { ListedUnit } from '@headwater/core/ports';
import { html } from 'hono/html';
import type { Ports } from '../../../deps.ts';
import type { Html } from '../../../pages/layout.ts';
import { sayIn } from '../../../pages/texts.ts';
import type { AdminCaller } from '../../../seam/admin-resource.ts';
import { publishedPlaces } from '../../discovery/handlers/published-places.ts';
import { adminHref } from '../page/admin-parts.ts';

const MOST_UNITS = 500;

/** Table of the districts of a state, or of the tehsils of a district. Returns '' for a tehsil. */
export async function unitsBelow(
  deps: Ports<'baseUrl' | 'stores'>,
  { level, id }: Pick<ListedUnit, 'level' | 'id'>,
  caller: AdminCaller,
): Promise<Html | ''> {
  if (level === 'tehsil') return '';
  const isState = level === 'state';
  const [{ units }, published] = await Promise.all([
    deps.stores.lookups.listUnits({
      below: { level, id },
      level: isState ? 'district' : 'tehsil',
      limit: MOST_UNITS,
      offset: 0,
    }),
    publishedPlaces(deps),
  ]);
  const say = sayIn(caller.language);
  const title = say(isState ? 'districts' : 'tehsils');
  const heads = [
    say('name'),
    say('active'),
    ...(isState ? [say('tehsils'), say('tehsilsWithLayers')] : [say('microWatersheds'), say('villages')]),
    say('publishedLayers'),
  ];
  const rowOf = (unit: ListedUnit): Html => {
    const names = { state: unit.state.name, district: unit.district?.name ?? null };
    const { tehsils = 0, layers = 0 } = published.of({ ...names, tehsil: isState ? null : unit.name }) ?? {};
    const numbers = isState ? [unit.tehsils, tehsils, layers] : [unit.mws, unit.villages, layers];
    return html`<tr>
      <td><a href="${adminHref(caller, 'places', `${unit.level}-${unit.id}`)}">${unit.name}</a></td>
      <td>${say(unit.isActive ? 'yes' : 'no')}</td>
      ${numbers.map((number) => html`<td class="num">${number ?? 0}</td> `)}
    </tr> `;
  };
  return html`<h2 id="below">${title}</h2>
    <div class="scroll" tabindex="0" role="region" aria-labelledby="below">
      <table>
        <thead>
          <tr>
            ${heads.map((head, at) => html`<th scope="col" ${at > 1 ? html` class="num"` : ''}>${head}</th> `)}
          </tr>
        </thead>
        <tbody>
          ${units.map(rowOf)}
        </tbody>
      </table>
    </div>`;
}
