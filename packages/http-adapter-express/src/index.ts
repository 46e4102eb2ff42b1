export { createExpressRouter } from './express-router.ts';
export {
  createHeadwater,
  type ComputeParts,
  type Headwater,
  type HeadwaterOptions,
  type Service,
} from '@headwater/http-service';
