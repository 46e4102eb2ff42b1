export { placeSlug } from '@headwater/stac';
