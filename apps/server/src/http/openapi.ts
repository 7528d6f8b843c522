import { contract } from '@jiaowu/api/contract/contract'
import type { Endpoint } from '@jiaowu/api/endpoint'
import { parseJson } from '@jiaowu/api/exact-json'
import { toJsonSchema } from '@valibot/to-json-schema'
import type { GenericSchema } from 'valibot'

type Json = Readonly<Record<string, unknown>>
/** Definitions of recursive schemas, by the name of their first call. */
const shared: Record<string, unknown> = {}
const contentTypes = {
  json: ['application/json'],
  form: ['application/x-www-form-urlencoded'],
  multipart: ['multipart/form-data'],
  values: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
} as const

const keyHeader = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Kept 24 h for the person and route: the same body gets the same answer, another body 422/42201, and 409/40901 while the first request runs.',
  schema: { type: 'string', minLength: 1, maxLength: 200 },
}

const proofHeaderParameter = {
  name: 'X-Reauth',
  in: 'header',
  required: false,
  description:
    'A token of POST /auth/reauthenticate, for a caller who was refused with 403/40310 because their last proof is too old.',
  schema: { type: 'string', minLength: 1, maxLength: 200 },
}

const refused = {
  description: 'refused',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
}

const issue = {
  type: 'object',
  required: ['path', 'rule', 'msg'],
  properties: { path: { type: 'string' }, rule: { type: 'string' }, msg: { type: 'string' } },
}
const refusal = envelope({
  type: ['object', 'null'],
  properties: { issues: { type: 'array', items: issue } },
})

/**
 * The version of this document, not of the program: everybody may read it
 * (docs/rules/security.md#c7).
 */
const documentVersion = '1'
let document: string | undefined

/** The contract as OpenAPI 3.1, created once. */
export function openApi(): string {
  document ??= JSON.stringify({
    openapi: '3.1.0',
    info: {
      title: 'Jiaowu 教务',
      version: documentVersion,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/api' }],
    security: [{ session: [] }],
    paths: paths(),
    components: {
      securitySchemes: { session: { type: 'http', scheme: 'bearer' } },
      schemas: { Refusal: refusal, ...shared },
    },
  })
  return document
}

function paths(): Json {
  const found: Record<string, Record<string, Json>> = {}
  for (const [group, endpoints] of Object.entries(contract)) {
    for (const [call, endpoint] of Object.entries(endpoints))
      (found[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = operation(
        group,
        call,
        endpoint as Endpoint,
      )
  }
  return found
}

function operation(group: string, call: string, endpoint: Endpoint): Json {
  const name = `${group}.${call}`
  return {
    operationId: name,
    tags: [group],
    parameters: parameters(endpoint, name),
    ...(endpoint.body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: Object.fromEntries(
              contentTypes[endpoint.bodyKind].map((type) => [
                type,
                { schema: buildJsonSchema(endpoint.body as GenericSchema, `${name}.body`) },
              ]),
            ),
          },
        }),
    responses: {
      200:
        endpoint.answer === null
          ? {
              description: 'a file',
              content: {
                'application/octet-stream': { schema: { type: 'string', format: 'binary' } },
              },
            }
          : {
              description: 'ok',
              content: {
                'application/json': { schema: envelope(buildJsonSchema(endpoint.answer, name)) },
              },
            },
      default: refused,
    },
    ...(endpoint.access === 'public' ? { security: [] } : {}),
    'x-access': endpoint.access,
  }
}

function parameters(endpoint: Endpoint, name: string): Json[] {
  const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const { properties = {}, required = [] } =
    endpoint.query === undefined
      ? {}
      : (buildJsonSchema(endpoint.query, `${name}.query`) as {
          properties?: Record<string, Json>
          required?: string[]
        })
  return [
    ...inPath,
    ...(endpoint.keyed ? [keyHeader] : []),
    ...(endpoint.fresh === false ? [] : [proofHeaderParameter]),
    ...Object.entries(properties).map(([key, schema]) => ({
      name: key,
      in: 'query',
      required: required.includes(key),
      schema,
    })),
  ]
}

/** Moves the definitions of a recursive schema into the components of the whole document. */
function buildJsonSchema(schema: GenericSchema<unknown, unknown>, name: string): Json {
  const made = toJsonSchema(schema as Parameters<typeof toJsonSchema>[0], {
    typeMode: 'input',
    errorMode: 'ignore',
    overrideSchema: ({ valibotSchema }) =>
      valibotSchema.type === 'blob' ? { type: 'string', format: 'binary' } : undefined,
  })
  const {
    $schema: _dialect,
    $defs = {},
    ...json
  } = parseJson(JSON.stringify(made).replaceAll('"#/$defs/', `"#/components/schemas/${name}.`)) as {
    $schema?: string
    $defs?: Record<string, unknown>
  }
  for (const [part, definition] of Object.entries($defs)) shared[`${name}.${part}`] = definition
  return json
}

function envelope(data: Json): Json {
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
