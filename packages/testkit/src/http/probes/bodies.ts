import { bytesBody, fieldsBody, json, operation, type Operation } from '@headwater/http-service';
import { z } from 'zod';
import { ANY, PROBE } from './shared.ts';

/** Body limit of some test operations, bytes. */
export const SMALL_LIMIT = 32 * 1024;

const Profile = z.looseObject({ name: z.string('Not a valid string.'), picture: z.file().optional() });

/** Test operations for each kind of body that the service reads completely. */
export function bodyProbes(): readonly Operation[] {
  const shared = { ...PROBE, method: 'POST', responses: { 200: ANY } } as const;
  return [
    operation({
      ...shared,
      id: 'probeForm',
      path: '/probe/form/',
      body: fieldsBody(Profile, { accepts: ['json', 'form', 'multipart'], limit: SMALL_LIMIT }),
      handler: async ({ body: { picture, ...rest } }) => json(200, { ...rest, picture: await described(picture) }),
    }),
    operation({
      ...shared,
      id: 'probeFormOnly',
      path: '/probe/form/only/',
      body: fieldsBody(Profile, { accepts: ['form'], limit: SMALL_LIMIT }),
      handler: ({ body: { name } }) => json(200, { name }),
    }),
    operation({
      ...shared,
      id: 'probeRawJson',
      path: '/probe/raw/json/',
      body: bytesBody({ media: ['application/json'], limit: SMALL_LIMIT }),
      handler: ({ body }) => json(200, { length: body.byteLength }),
    }),
    operation({
      ...shared,
      id: 'probeLenient',
      path: '/probe/lenient/',
      body: fieldsBody(z.unknown(), { accepts: ['json', 'form'], lenient: true, limit: SMALL_LIMIT }),
      handler: ({ body }) => json(200, { body }),
    }),
    operation({
      ...shared,
      id: 'probeRaw',
      method: 'PUT',
      path: '/probe/raw/',
      body: bytesBody({ media: ['application/octet-stream'], limit: SMALL_LIMIT }),
      handler: ({ body }) => json(200, { bytes: Array.from(body.subarray(0, 4)), length: body.byteLength }),
    }),
  ];
}

async function described(file: File | undefined): Promise<unknown> {
  if (file === undefined) return null;
  return { name: file.name, type: file.type, text: (await file.text()).slice(0, 100), size: file.size };
}
