import * as v from 'valibot'
import { endpoint, fileEndpoint } from '../../endpoint.ts'
import { exportBody } from '../entity/entity-data.ts'
import { importUpload, jobShape } from '../job.ts'
import { page, pageQuery, row, text, values } from '../shapes.ts'

const may = (action: string) => `entity:SYS_DICT_ITEM:${action}` as const
/**
 * Dictionary items under their own paths (docs/spec/1-entity-console.md §7); in every rule the same
 * as the calls on entity SYS_DICT_ITEM.
 */
export const dictionaryItem = {
  page: endpoint({
    method: 'POST',
    keyed: false,
    path: '/dictionaryItem/page',
    access: may('view'),
    body: pageQuery,
    answer: page,
  }),
  create: endpoint({
    method: 'POST',
    keyed: true,
    path: '/dictionaryItem',
    access: may('add'),
    body: values,
    answer: row,
  }),
  /** The row, with its `id` and `version`. */
  update: endpoint({
    method: 'PUT',
    path: '/dictionaryItem',
    access: may('update'),
    body: v.looseObject({ id: text }),
    answer: row,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/dictionaryItem',
    access: may('delete'),
    query: v.strictObject({ ids: text }),
    answer: v.object({ deleted: v.number() }),
  }),
  export: fileEndpoint({
    method: 'POST',
    keyed: false,
    path: '/dictionaryItem/export',
    access: may('export'),
    body: exportBody,
  }),
  /** Starts an import job (docs/rules/contract.md#entity-data). */
  import: endpoint({
    method: 'POST',
    keyed: true,
    path: '/dictionaryItem/import',
    access: 'signed',
    bodyKind: 'multipart',
    body: importUpload,
    answer: jobShape,
  }),
  /** Starts a dry run of an import. */
  preview: endpoint({
    method: 'POST',
    keyed: false,
    path: '/dictionaryItem/preview',
    access: 'signed',
    bodyKind: 'multipart',
    body: importUpload,
    answer: jobShape,
  }),
} as const
