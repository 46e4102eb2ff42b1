export { thumbnail } from './thumbnail.ts';
export { zoneThumbnail } from './zone-thumbnail.ts';
