import type { ItemForm } from '../ports/item-search.ts';
import type { RunStore } from '../ports/runs.ts';

/**
 * Run store with a default `ItemForm`: `publish` writes the texts of Items in this form, unless the options of the call have another form.
 */
export function withItemForm(form: ItemForm, store: RunStore): RunStore {
  return {
    ...store,
    publish: (id, token, options) => store.publish(id, token, { form, ...options }),
  };
}
