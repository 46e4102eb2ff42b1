export type { ImportRequest, ImportReport, Importer } from '@headwater/core';
export type { ImportKind, ImportPlace, RefusedRow, RepairedRow } from '@headwater/core/ports';
