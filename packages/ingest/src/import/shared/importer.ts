export type {
  ImportJob,
  ImportKind,
  ImportPlace,
  ImportReport,
  Importer,
  RefusedRow,
  RepairedRow,
} from '@headwater/core';
