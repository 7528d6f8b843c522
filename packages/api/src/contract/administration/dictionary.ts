import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { dictMap, text } from '../shapes.ts'

const codes = v.strictObject({ codes: text, ts: v.optional(text) })

/**
 * A tenant's dictionaries and the product's own enumerations, by code
 * (docs/spec/1-entity-console.md §7).
 */
export const dictionary = {
  codes: endpoint({
    method: 'GET',
    path: '/dictionaryItem/codes',
    access: 'signed',
    query: codes,
    answer: dictMap,
  }),
  enums: endpoint({
    method: 'GET',
    path: '/enums',
    access: 'signed',
    query: codes,
    answer: dictMap,
  }),
} as const
