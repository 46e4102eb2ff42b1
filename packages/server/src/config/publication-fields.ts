import type { PublicationOptions } from '@headwater/http-service';
import { z } from 'zod';

const PROVIDERS =
  'expected a JSON list of organisations such as [{"name":"Institute","url":"https://institute.example.org/","roles":["licensor","host"]}]; ' +
  'roles are producer, licensor, processor and host';

const providerList = z
  .array(
    z.strictObject({
      name: z.string().trim().min(1),
      url: z.url({ protocol: /^https?$/ }).optional(),
      description: z.string().optional(),
      roles: z.array(z.enum(['producer', 'licensor', 'processor', 'host'])).optional(),
    }),
  )
  .min(1);

/** Organisations as JSON text; any fault is told in one sentence. */
export const providersText = z.string().transform((text, context) => {
  const result = providerList.safeParse(jsonOf(text));
  if (result.success) return result.data.map(withoutAbsent);
  context.addIssue({ code: 'custom', message: PROVIDERS });
  return z.NEVER;
});

/** An SPDX identifier, or `other`. */
export const licenseText = z
  .string()
  .regex(/^[A-Za-z0-9.+-]+$/, 'expected an SPDX identifier such as CC-BY-4.0, or other');

type Provider = NonNullable<PublicationOptions['providers']>[number];

function withoutAbsent({ name, url, description, roles }: z.infer<typeof providerList>[number]): Provider {
  return {
    name,
    ...(url === undefined ? {} : { url }),
    ...(description === undefined ? {} : { description }),
    ...(roles === undefined ? {} : { roles }),
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
