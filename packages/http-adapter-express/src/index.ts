export { createExpressRouter } from './express-router.ts';
export * from '@headwater/http-service';
