import { element } from './elements.ts';

/** Turns each class of the page's legend into a switch. Classes without a row, which do not occur in this year, stay shown. */
export function switchesIn(legend: ParentNode, off: Set<number>, onChange: () => void): void {
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
    name?.replaceChildren(element('label', { class: 'map-class' }, box, ...name.childNodes));
  }
}
