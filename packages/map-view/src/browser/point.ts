import { element } from './elements.ts';
import { valueText } from './zones.ts';

/** Facts about a point of the map. */
export interface PointFacts {
  readonly place: string;
  readonly year: string;
  /** Undefined if the map has no classes; empty where the layer has none. */
  readonly className: string | undefined;
  readonly confidence: number | undefined;
  readonly zone: Readonly<Record<string, unknown>> | undefined;
}

/** Shows the facts of a point: its class and confidence, and the figures of its micro-watershed. */
export function showPoint(
  panel: HTMLElement,
  { place, year, className, confidence, zone }: PointFacts,
  columns: readonly { readonly name: string; readonly title: string }[],
): void {
  const facts: readonly (readonly [string, string | undefined])[] = [
    [year === '' ? 'Class' : `Class in ${year}`, className === '' ? 'No class' : className],
    ['Confidence', confidence === undefined ? undefined : `${confidence} %`],
    ['Micro-watershed', valueText(zone?.['uid']) || undefined],
    ['Place', place],
  ];
  const list = element('dl', { class: 'facts' });
  for (const [name, value] of facts)
    if (value !== undefined) list.append(element('div', {}, element('dt', {}, name), element('dd', {}, value)));
  panel.replaceChildren(element('p', { class: 'name' }, 'At this point'), list);
  const rows = columns.flatMap(({ name, title }) => {
    const value = zone === undefined || name === 'uid' ? '' : valueText(zone[name]);
    if (value === '') return [];
    return [element('tr', {}, element('th', { scope: 'row' }, title), element('td', { class: 'num' }, value))];
  });
  if (rows.length === 0) return;
  const uid = valueText(zone?.['uid']);
  const name = uid === '' ? 'Figures of this area' : `Figures of micro-watershed ${uid}`;
  const table = element('table', {}, element('caption', {}, name), element('tbody', {}, ...rows));
  panel.append(element('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': name }, table));
}
