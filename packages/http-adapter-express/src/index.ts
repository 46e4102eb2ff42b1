export { createExpressRouter } from './express-router.ts';
export {
  createHeadwater,
  createScryptHasher,
  type ComputeParts,
  type Headwater,
  type HeadwaterOptions,
  type Operation,
  type Service,
} from '@headwater/http-service';
