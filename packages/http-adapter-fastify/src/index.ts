export { frameworkErrors, headwaterPlugin, type HeadwaterPluginOptions } from './fastify-plugin.ts';
export * from '@headwater/http-service';
