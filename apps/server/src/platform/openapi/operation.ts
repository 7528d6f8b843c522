import { contract } from '@jiaowu/api/contract/contract'
import type { Endpoint } from '@jiaowu/api/endpoint'
import type { Locale } from '@jiaowu/api/locale'
import type { GenericSchema } from 'valibot'
import { examples } from './examples.ts'
import { envelope, type Json, type SchemaNames } from './schemas.ts'
import { summaries } from './summaries.ts'

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
  description: 'Refused: the code and the sentence say why.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
}

export type CallName = keyof typeof summaries

/** The language of a description as a place in pairs of texts. */
export const pickSide = (locale: Locale): 0 | 1 => (locale === 'en' ? 1 : 0)

/** All calls with their names. */
export function listCalls(): readonly { readonly name: CallName; readonly endpoint: Endpoint }[] {
  return Object.entries(contract).flatMap(([group, endpoints]) =>
    Object.entries(endpoints).map(([call, endpoint]) => ({
      name: `${group}.${call}` as CallName,
      endpoint: endpoint as Endpoint,
    })),
  )
}

/** One call as an operation of OpenAPI. */
export function describeCall(
  name: CallName,
  endpoint: Endpoint,
  names: SchemaNames,
  locale: Locale,
): Json {
  const [group = ''] = name.split('.')
  const label = toTypeName(name)
  const { body } = endpoint
  const example = examples[name]
  return {
    operationId: name,
    tags: [group],
    summary: summaries[name][pickSide(locale)],
    description: describeAccess(endpoint, locale),
    parameters: describeParameters(endpoint, label, names),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: Object.fromEntries(
              contentTypes[endpoint.bodyKind].map((type) => [
                type,
                {
                  schema: names.refer(body as GenericSchema<unknown, unknown>, `${label}Request`),
                  ...(example?.body === undefined ? {} : { example: example.body }),
                },
              ]),
            ),
          },
        }),
    responses: {
      200: describeAnswer(endpoint, label, names, example?.data),
      '4XX': refused,
      default: refused,
    },
    ...(endpoint.access === 'public' ? { security: [] } : {}),
    'x-access': endpoint.access,
  }
}

/** `entityData.page` as `EntityDataPage`. */
function toTypeName(name: string): string {
  return name
    .split('.')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')
}

function describeAccess({ access, keyed, fresh }: Endpoint, locale: Locale): string {
  const isEnglish = locale === 'en'
  const sentences = [
    isEnglish ? `Needs: \`${access}\`.` : `权限：\`${access}\`。`,
    ...(keyed
      ? [isEnglish ? 'Takes an Idempotency-Key.' : '可带 Idempotency-Key，重发不会重复执行。']
      : []),
    ...(fresh === false
      ? []
      : [isEnglish ? 'May ask for a fresh proof (40310).' : '可能要求再次验证身份（40310）。']),
  ]
  return sentences.join(isEnglish ? ' ' : '')
}

function describeAnswer(
  { answer }: Endpoint,
  label: string,
  names: SchemaNames,
  data: unknown,
): Json {
  if (answer === null)
    return {
      description: 'A file.',
      content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
    }
  const example =
    data === undefined
      ? {}
      : {
          example: {
            success: true,
            code: 200,
            msg: '',
            data,
            traceId: '00000000000000000000000000000000',
          },
        }
  return {
    description: 'Done.',
    content: {
      'application/json': { schema: envelope(names.refer(answer, label)), ...example },
    },
  }
}

function describeParameters(endpoint: Endpoint, label: string, names: SchemaNames): Json[] {
  const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const { properties = {}, required = [] } =
    endpoint.query === undefined
      ? {}
      : (names.inline(endpoint.query as GenericSchema<unknown, unknown>, `${label}Query`) as {
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
