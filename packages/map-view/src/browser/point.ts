import { element } from './elements.ts';
import { say } from './texts.ts';
import { valueText } from './zones.ts';

/** Facts about a point of the map. */
export interface PointFacts {
  readonly place: string;
  readonly year: string;
  /** Title of the class, or value with its unit; undefined for a vector layer, '' where the layer has none. */
  readonly reading: string | undefined;
  /** True if the layer has measured values instead of classes. */
  readonly isMeasured: boolean;
  readonly confidence: number | undefined;
  readonly zone: Readonly<Record<string, unknown>> | undefined;
}

/** The class or value of a point; a text that says so where the layer has none. */
export function readingText({ reading, isMeasured }: Pick<PointFacts, 'reading' | 'isMeasured'>): string | undefined {
  return reading === '' ? say(isMeasured ? 'mapNoValue' : 'mapNoClass') : reading;
}

/** Shows the facts of a point: its class and confidence or its value, and the figures of its micro-watershed. */
export function showPoint(
  panel: HTMLElement,
  point: PointFacts,
  columns: readonly { readonly name: string; readonly title: string }[],
): void {
  const { place, year, isMeasured, confidence, zone } = point;
  const named = isMeasured ? (['mapValue', 'mapValueIn'] as const) : (['mapClass', 'mapClassIn'] as const);
  const facts: readonly (readonly [string, string | undefined])[] = [
    [year === '' ? say(named[0]) : say(named[1], { year }), readingText(point)],
    [say('mapConfidence'), confidence === undefined ? undefined : `${confidence} %`],
    [say('mapUid'), valueText(zone?.['uid']) || undefined],
    [say('mapPlace'), place],
  ];
  const list = element('dl', { class: 'facts' });
  for (const [name, value] of facts)
    if (value !== undefined) list.append(element('div', {}, element('dt', {}, name), element('dd', {}, value)));
  panel.replaceChildren(element('p', { class: 'name' }, say('mapAtPoint')), list);
  const rows = columns.flatMap(({ name, title }) => {
    const value = zone === undefined || name === 'uid' ? '' : valueText(zone[name]);
    if (value === '') return [];
    return [
      element('tr', {}, element('th', { scope: 'row', lang: 'en' }, title), element('td', { class: 'num' }, value)),
    ];
  });
  if (rows.length === 0) return;
  const uid = valueText(zone?.['uid']);
  const name = uid === '' ? say('mapFigures') : say('mapFiguresOf', { uid });
  const table = element('table', {}, element('caption', {}, name), element('tbody', {}, ...rows));
  panel.append(element('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': name }, table));
}
