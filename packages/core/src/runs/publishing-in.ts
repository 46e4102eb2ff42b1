import type { ItemForm } from '../ports/item-search.ts';
import type { RunStore } from '../ports/runs.ts';

/** The same runs; whatever is published through them has its Items' texts written in this form, unless another one is named. */
export function publishingIn(form: ItemForm, store: RunStore): RunStore {
  return {
    ...store,
    publish: (id, token, given) => store.publish(id, token, { form, ...given }),
  };
}
