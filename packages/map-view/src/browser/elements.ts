import { linkOf, type MapState } from './view-link.ts';

/** Creates an element with attributes and content. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>>,
  ...content: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...content);
  return made;
}

/** A square in a colour, as in the legends of the pages. */
export function swatch(color: string): SVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  for (const [name, value] of Object.entries({ class: 'swatch', viewBox: '0 0 16 16', 'aria-hidden': 'true' }))
    svg.setAttribute(name, value);
  const square = document.createElementNS(svg.namespaceURI, 'rect') as SVGRectElement;
  for (const [name, value] of Object.entries({ width: '16', height: '16', rx: '3', fill: color }))
    square.setAttribute(name, value);
  svg.append(square);
  return svg;
}

/** A slider from 0 to 100. */
export function slider(name: string, value: number, on: (value: number) => void): HTMLLabelElement {
  const input = element('input', { type: 'range', min: '0', max: '100', step: '1' });
  input.value = String(value);
  // Hidden from screen readers, which read the value of the slider itself.
  const shown = element('span', { 'aria-hidden': 'true' }, `${value} %`);
  input.addEventListener('input', () => {
    shown.textContent = `${input.value} %`;
    on(Number(input.value));
  });
  return element('label', {}, element('span', {}, `${name} `, shown), input);
}

/** A named list of options. */
export function chooser(
  name: string,
  options: readonly { readonly value: string; readonly title: string }[],
  on: (value: string) => void,
): HTMLLabelElement {
  const select = element('select', {});
  select.append(...options.map(({ value, title }) => element('option', { value }, title)));
  select.addEventListener('change', () => on(select.value));
  return element('label', {}, element('span', {}, name), select);
}

/** A named checkbox. */
export function checkbox(name: string, isOn: boolean, on: (isOn: boolean) => void): HTMLLabelElement {
  const input = element('input', { type: 'checkbox' });
  input.checked = isOn;
  input.addEventListener('change', () => on(input.checked));
  return element('label', { class: 'map-switch' }, input, element('span', {}, name));
}

/** Pause before a change of the address, ms, because browsers refuse many changes in a second. */
const ADDRESS_MS = 300;

/** Returns a function that writes the view into a link and the address of the page. */
export function linkUpdater(link: HTMLAnchorElement, view: () => MapState): () => void {
  let timer: number | undefined;
  return () => {
    link.href = linkOf(view());
    clearTimeout(timer);
    timer = window.setTimeout(() => history.replaceState(history.state, '', link.href), ADDRESS_MS);
  };
}

/** Classes that are hidden at first. If the page shows a single class, these are all other classes; otherwise none. */
export function hiddenAtFirst(legend: ParentNode, values: readonly number[]): readonly number[] {
  const alone = legend.querySelector<HTMLElement>('[data-class]:has([aria-current])');
  return alone === null ? [] : values.filter((value) => value !== Number(alone.dataset['class']));
}

/** Adds a switch to each row of the legend. Classes without a row (share of 0) get no switch. */
export function switchesIn(legend: ParentNode, off: Set<number>, onChange: () => void): void {
  legend.querySelector('[data-classes]')?.remove();
  for (const row of legend.querySelectorAll<HTMLElement>('[data-class]')) {
    const value = Number(row.dataset['class']);
    const box = element('input', { type: 'checkbox' });
    box.checked = !off.has(value);
    box.addEventListener('change', () => {
      if (box.checked) off.delete(value);
      else off.add(value);
      onChange();
    });
    const name = row.querySelector('th');
    for (const link of name?.querySelectorAll('a') ?? []) link.replaceWith(...link.childNodes);
    name?.replaceChildren(element('label', { class: 'map-class' }, box, ...name.childNodes));
  }
}
