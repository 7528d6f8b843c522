import { parseJson } from '@jiaowu/api/exact-json'
import { dictItem, page, pageQuery, row, where } from '@jiaowu/api/contract/shapes'
import { toJsonSchema } from '@valibot/to-json-schema'
import type { GenericSchema } from 'valibot'

export type Json = Readonly<Record<string, unknown>>
type AnySchema = GenericSchema<unknown, unknown>

/** Schemas that many calls share, by the names that generated clients show. */
const common: Readonly<Record<string, AnySchema>> = {
  Row: row,
  Page: page,
  PageQuery: pageQuery as AnySchema,
  DictItem: dictItem,
  Where: where as AnySchema,
}

/** Collects the named schemas of a document. One that reads like another keeps the first name. */
export class SchemaNames {
  readonly components: Record<string, unknown> = {}
  readonly #names = new Map<string, string>()
  readonly #common = new Map<string, Json>()
  /** Prefix of the components that a set of recursive definitions became. */
  readonly #definitions = new Map<string, string>()

  constructor() {
    for (const [name, schema] of Object.entries(common)) {
      const json = this.inline(schema, name)
      this.#common.set(JSON.stringify(json), this.add(json, name))
    }
  }

  /** A reference to the schema under a name. */
  refer(schema: AnySchema, name: string): Json {
    return this.add(this.#withCommon(this.inline(schema, name)), name)
  }

  /** The schema with references in place of the common ones within it. */
  #withCommon(json: Json): Json {
    const visit = (node: unknown): unknown => {
      if (typeof node !== 'object' || node === null) return node
      const known = this.#common.get(JSON.stringify(node))
      if (known !== undefined) return known
      if (Array.isArray(node)) return node.map(visit)
      return Object.fromEntries(Object.entries(node).map(([key, inner]) => [key, visit(inner)]))
    }
    return visit(json) as Json
  }

  add(json: Json, name: string): Json {
    const text = JSON.stringify(json)
    // A number or a word needs no name.
    if (text.length < 60) return json
    const known = this.#names.get(text)
    if (known === undefined) {
      this.#names.set(text, name)
      this.components[name] = json
    }
    return { $ref: `#/components/schemas/${known ?? name}` }
  }

  /** The schema itself; definitions of recursive ones become components under the name. */
  inline(schema: AnySchema, name: string): Json {
    const made = toJsonSchema(schema as Parameters<typeof toJsonSchema>[0], {
      typeMode: 'input',
      errorMode: 'ignore',
      overrideSchema: ({ valibotSchema }) =>
        valibotSchema.type === 'blob' ? { type: 'string', format: 'binary' } : undefined,
    })
    // The same definitions in another schema are the same components.
    const written = JSON.stringify(made.$defs ?? {})
    const prefix = this.#definitions.get(written) ?? name
    this.#definitions.set(written, prefix)
    const {
      $schema: _dialect,
      $defs = {},
      ...json
    } = parseJson(
      JSON.stringify(made).replaceAll('"#/$defs/', `"#/components/schemas/${prefix}.`),
    ) as { $schema?: string; $defs?: Record<string, unknown> }
    for (const [part, definition] of Object.entries($defs))
      this.components[`${prefix}.${part}`] = definition
    return json
  }
}

export function envelope(data: Json): Json {
  return {
    type: 'object',
    required: ['success', 'code', 'msg', 'data', 'traceId'],
    properties: {
      success: { type: 'boolean' },
      code: { type: 'integer' },
      msg: { type: 'string' },
      data,
      traceId: { type: 'string' },
    },
  }
}

const issue = {
  type: 'object',
  required: ['path', 'rule', 'msg'],
  properties: { path: { type: 'string' }, rule: { type: 'string' }, msg: { type: 'string' } },
}
export const refusal = envelope({
  type: ['object', 'null'],
  properties: { issues: { type: 'array', items: issue } },
})
