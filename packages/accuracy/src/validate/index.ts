export { createValidatePipeline, type LayerMaker } from './pipeline.ts';
export { type ValidateParams, type ValidateRequest } from './request.ts';
