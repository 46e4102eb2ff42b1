import { type Importer, invalidField } from '@headwater/core';

/** The importer of a kind whose files need no options: it throws `validation` where some are given, which nobody would heed. */
export function withoutOptions({ run, ...rest }: Importer): Importer {
  return {
    ...rest,
    run: async (request) => {
      if (request.options !== undefined)
        throw invalidField('options', `A file of the kind ${rest.kind} takes none; leave them out.`);
      return await run(request);
    },
  };
}
