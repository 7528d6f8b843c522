import { contract, type Endpoint } from '@jiaowu/api'
import { toJsonSchema } from '@valibot/to-json-schema'
import type { GenericSchema } from 'valibot'

type Json = Readonly<Record<string, unknown>>
const schemaOf = (schema: GenericSchema<unknown, unknown>): Json => {
  const { $schema: _dialect, ...json } = toJsonSchema(schema as Parameters<typeof toJsonSchema>[0], { typeMode: 'input', errorMode: 'ignore' }) as Record<string, unknown>
  return json
}

const envelope = (data: Json): Json => ({
  type: 'object', required: ['success', 'code', 'msg', 'data', 'traceId'],
  properties: { success: { type: 'boolean' }, code: { type: 'integer' }, msg: { type: 'string' }, data, traceId: { type: 'string' } },
})
const contentTypes = { json: 'application/json', form: 'application/x-www-form-urlencoded', multipart: 'multipart/form-data' } as const

const parameters = (endpoint: Endpoint): Json[] => {
  const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: 'path', required: true, schema: { type: 'string' } }))
  const { properties = {}, required = [] } = endpoint.query === undefined ? {} : (schemaOf(endpoint.query) as { properties?: Record<string, Json>; required?: string[] })
  return [...inPath, ...Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', required: required.includes(name), schema }))]
}

const refused = { description: 'refused', content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } } }
const operation = (group: string, name: string, endpoint: Endpoint): Json => ({
  operationId: `${group}.${name}`, tags: [group], parameters: parameters(endpoint),
  ...(endpoint.body === undefined ? {} : { requestBody: { required: true, content: { [contentTypes[endpoint.bodyKind]]: { schema: schemaOf(endpoint.body) } } } }),
  responses: {
    200: endpoint.answer === null ? { description: 'a file', content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } } } : { description: 'ok', content: { 'application/json': { schema: envelope(schemaOf(endpoint.answer)) } } },
    default: refused,
  },
  ...(endpoint.access === 'public' ? { security: [] } : {}),
  'x-access': endpoint.access,
})

const paths = (): Json => {
  const found: Record<string, Record<string, Json>> = {}
  for (const [group, endpoints] of Object.entries(contract)) {
    for (const [name, endpoint] of Object.entries(endpoints)) (found[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = operation(group, name, endpoint as Endpoint)
  }
  return found
}

let document: string | undefined
/** OpenAPI 3.1 of the contract, made once. */
export const openApi = (): string => {
  document ??= JSON.stringify({
    openapi: '3.1.0', info: { title: 'Jiaowu 教务', version: '0.1.0', license: { name: 'Apache-2.0' } }, servers: [{ url: '/api' }], security: [{ session: [] }], paths: paths(),
    components: {
      securitySchemes: { session: { type: 'http', scheme: 'bearer' } },
      schemas: { Refusal: envelope({ type: ['object', 'null'], properties: { issues: { type: 'array', items: { type: 'object', properties: { path: { type: 'string' }, rule: { type: 'string' }, msg: { type: 'string' } } } } } }) },
    },
  })
  return document
}
