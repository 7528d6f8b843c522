// The calls on one entity with its own fields, for clients that are generated.
import { parseJson } from '@jiaowu/api/exact-json'
import type { EntityConfig, Field } from '@jiaowu/api/entity/config'
import { findKind, holdsValue } from '@jiaowu/api/fields/kinds'
import type { Locale } from '@jiaowu/api/locale'
import { describeComponents, describeService } from './document.ts'
import { describeCall, listCalls } from './operation.ts'
import { type Json, SchemaNames } from './schemas.ts'

/** Calls that say more when the fields are known. */
const typed = [
  'entityData.page',
  'entityData.get',
  'entityData.create',
  'entityData.update',
  'entityData.remove',
  'entityData.export',
  'history.of',
] as const
type TypedCall = (typeof typed)[number]

/** OpenAPI 3.1 of the calls on these entities, as a caller sees them. */
export function describeEntities(configs: readonly EntityConfig[], locale: Locale): string {
  const names = new SchemaNames()
  const paths = Object.assign({}, ...configs.map((config) => describeEntity(config, names, locale)))
  return JSON.stringify({
    ...describeService(locale),
    tags: configs.map(({ tag, name }) => ({ name: tag, description: name })),
    paths,
    components: describeComponents(names),
  })
}

function describeEntity(config: EntityConfig, names: SchemaNames, locale: Locale): Json {
  const { tag } = config
  const record = names.add(describeRecord(config), tag)
  const values = {
    create: names.add(describeValues(config, 'isAdd'), `${tag}Create`),
    update: names.add(describeValues(config, 'isEdit'), `${tag}Update`),
  }
  const found: Record<string, Record<string, unknown>> = {}
  for (const { name, endpoint } of listCalls()) {
    const call = typed.find((each) => each === name)
    if (call === undefined) continue
    const path = endpoint.path.replace('{tag}', tag).replace('{ids}', '{id}')
    // Its own body takes the place of values of any entity.
    const hasOwnBody = call === 'entityData.create' || call === 'entityData.update'
    const described = describeCall(
      name,
      { ...endpoint, path, ...(hasOwnBody && { body: undefined }) },
      names,
      locale,
    )
    ;(found[path] ??= {})[endpoint.method.toLowerCase()] = {
      ...withRecord(call, described, record, values),
      operationId: `${tag}.${name.slice(name.indexOf('.') + 1)}`,
      tags: [tag],
      'x-access': endpoint.access.replace('{tag}', tag),
    }
  }
  return found
}

/** The operation with the record in place of a row of any entity. */
function withRecord(
  call: TypedCall,
  operation: Json,
  record: Json,
  { create, update }: { readonly create: Json; readonly update: Json },
): Json {
  // The examples are those of another entity.
  const text = JSON.stringify(operation, (key, value: unknown) =>
    key === 'example' ? undefined : value,
  )
  const row = JSON.stringify({ $ref: '#/components/schemas/Row' })
  const page = JSON.stringify({ $ref: '#/components/schemas/Page' })
  const typedPage = {
    allOf: [
      { $ref: '#/components/schemas/Page' },
      { type: 'object', properties: { records: { type: 'array', items: record } } },
    ],
  }
  const made = parseJson(
    text.replaceAll(row, JSON.stringify(record)).replaceAll(page, JSON.stringify(typedPage)),
  ) as Record<string, unknown>
  if (call === 'entityData.create') made['requestBody'] = describeBody(create)
  if (call === 'entityData.update') made['requestBody'] = describeBody(update)
  return made
}

const describeBody = (schema: Json): Json => ({
  required: true,
  content: { 'application/json': { schema } },
})

const isShown = ({ uiType, isList, isDetail, isEdit }: Field): boolean =>
  holdsValue(uiType) && !findKind(uiType).secret && (isList === 1 || isDetail === 1 || isEdit > 0)

function describeRecord({ fields, name }: EntityConfig): Json {
  return {
    type: 'object',
    description: name,
    required: ['id'],
    properties: {
      id: { type: 'string' },
      version: { type: ['number', 'string'] },
      ...Object.fromEntries(
        fields.filter(isShown).map((field) => [field.attrName, describeValue(field, 'read')]),
      ),
    },
  }
}

/** The values that a form sends: those that the caller may enter. */
function describeValues({ fields, name }: EntityConfig, flag: 'isAdd' | 'isEdit'): Json {
  const entered = fields.filter((field) => holdsValue(field.uiType) && field[flag] === 1)
  const required = entered
    .filter(({ valids }) => flag === 'isAdd' && valids.required === true)
    .map(({ attrName }) => attrName)
  return {
    type: 'object',
    description: name,
    additionalProperties: false,
    ...(flag === 'isEdit' ? { required: ['version'] } : required.length > 0 ? { required } : {}),
    properties: {
      ...(flag === 'isEdit'
        ? { version: { type: ['number', 'string'] } }
        : { id: { type: 'string' } }),
      ...Object.fromEntries(
        entered.map((field) => [field.attrName, describeValue(field, 'write')]),
      ),
    },
  }
}

/** A value on the wire (docs/rules/contract.md#entity-data); an empty one is null. */
function describeValue(field: Field, use: 'read' | 'write'): Json {
  const { uiLabel, uiType, options, valids } = field
  const kind = findKind(uiType)
  const about = { description: uiLabel }
  const length = options.maxLength ?? valids.maxLength
  switch (kind.family) {
    case 'number':
      // Beyond 15 digits a number is a text.
      return { ...about, type: ['number', 'string', 'null'] }
    case 'flag':
      return { ...about, type: ['string', 'null'], enum: ['0', '1', null] }
    case 'choice':
      return { ...about, ...describeChoice(kind.multiple, use) }
    case 'media':
      return { ...about, type: ['array', 'null'], items: { $ref: '#/components/schemas/DictItem' } }
    case 'text':
    case 'temporal':
      return {
        ...about,
        type: ['string', 'null'],
        ...(use === 'write' && typeof length === 'number' ? { maxLength: length } : {}),
      }
    default:
      return about
  }
}

function describeChoice(multiple: boolean, use: 'read' | 'write'): Json {
  const items = {
    type: ['array', 'null'],
    items: { $ref: '#/components/schemas/DictItem' },
    ...(multiple ? {} : { maxItems: 1 }),
  }
  if (use === 'read') return items
  const ids = multiple ? { type: 'array', items: { type: 'string' } } : { type: 'string' }
  return { anyOf: [ids, items] }
}
