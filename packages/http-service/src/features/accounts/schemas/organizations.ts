import type { Organization } from '@headwater/identity';
import { z } from 'zod';
import { sentences } from '../../../wire/sentences.ts';
import { integerText } from '../../../wire/text.ts';

/** Which organisations of the list. */
export const OrganizationListQuery = z.object({
  limit: integerText(1, 1000).optional().describe('Organisations at most; default 1000.'),
  offset: integerText(0).optional().describe('Organisations to skip; default 0.'),
});

/** Path parameter of an organisation. */
export const OrganizationId = z.object({ id: z.string().max(150).describe('Id of an organisation.') });

/** Body of a change. */
export const OrganizationChange = z
  .object({ is_listed: z.boolean(sentences.notBoolean).describe('Whether whoever registers is shown it.') })
  .meta({ id: 'OrganizationChange' });

/** An organisation as superusers see it. */
export const OrganizationBody = z
  .object({ id: z.string(), name: z.string(), is_listed: z.boolean() })
  .meta({ id: 'Organization' });

/** Several of them. */
export const WholeOrganizationList = z.array(OrganizationBody);

/** The same, of a stored one. */
export function organizationBody({ id, name, isListed }: Organization): z.infer<typeof OrganizationBody> {
  return { id, name, is_listed: isListed };
}
