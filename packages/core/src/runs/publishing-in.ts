import type { ItemForm } from '../ports/item-search.ts';
import type { RunStore } from '../ports/runs.ts';

/** Wraps a run store: publications write the texts of their Items in this form, unless they name another one. */
export function publishingIn(form: ItemForm, store: RunStore): RunStore {
  return {
    ...store,
    publish: (id, token, given) => store.publish(id, token, { form, ...given }),
  };
}
