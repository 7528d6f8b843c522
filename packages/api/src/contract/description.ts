import * as v from 'valibot'
import { fileEndpoint } from '../endpoint.ts'

/** The description of the API for programs that read and write chosen entities. */
export const description = {
  /**
   * OpenAPI 3.1 of the calls on these entities (tags, joined by commas, at most 50) with typed records, as the caller
   * may see them. Without `entities` the same address answers everybody with the description of all calls.
   */
  entities: fileEndpoint({
    method: 'GET',
    path: '/openapi.json',
    access: 'staff',
    query: v.strictObject({
      entities: v.pipe(v.string(), v.regex(/^\w{1,64}(,\w{1,64}){0,49}$/)),
      lang: v.optional(v.pipe(v.string(), v.maxLength(20))),
      ts: v.optional(v.string()),
    }),
  }),
} as const
