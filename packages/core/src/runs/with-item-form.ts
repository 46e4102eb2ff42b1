import type { ItemForm } from '../ports/item-search.ts';
import type { RunStore } from '../ports/runs.ts';

/**
 * Wraps a run store with a default `ItemForm`: `publish` writes Items in this form, unless the call's options have another form.
 */
export function withItemForm(form: ItemForm, store: RunStore): RunStore {
  return {
    ...store,
    publish: (id, token, options) => store.publish(id, token, { form, ...options }),
  };
}
