export { frameworkErrors, headwaterPlugin, type HeadwaterPluginOptions } from './fastify-plugin.ts';
export {
  createHeadwater,
  createScryptHasher,
  type ComputeParts,
  type Headwater,
  type HeadwaterOptions,
  type Operation,
  type Service,
} from '@headwater/http-service';
