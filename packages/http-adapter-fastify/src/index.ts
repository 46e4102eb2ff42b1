export { headwaterPlugin, type HeadwaterPluginOptions } from './fastify-plugin.ts';
export {
  createHeadwater,
  type ComputeParts,
  type Headwater,
  type HeadwaterOptions,
  type Service,
} from '@headwater/http-service';
