// Values for new rows and changes, from what a form would know of each field.
import type { DictItem } from '@jiaowu/api/entity/values'
import { resolveEditing, type EntityConfig, type Field } from '@jiaowu/api/entity/config'
import { findKind } from '@jiaowu/api/fields/kinds'
import type { Api } from './server.ts'

/** An entity with the types of its columns, by attrName: what a person reads in the definition. */
export interface Known {
  readonly api: Api
  readonly config: EntityConfig
  readonly types: ReadonlyMap<string, string>
}

export type Body = Record<string, unknown>

let counter = Date.now() % 100_000

/** The fields that a form of the mode shows for input. */
export function inputs(config: EntityConfig, mode: 'add' | 'edit'): Field[] {
  return config.fields.filter(
    (field) =>
      findKind(field.uiType).family !== 'layout' && resolveEditing(field, mode) === 'editable',
  )
}

/** A body for a new row; `attempt` varies the values, so that constraints may be met. */
export async function newBody(known: Known, attempt: number): Promise<Body> {
  const body: Body = {}
  for (const field of inputs(known.config, 'add')) {
    const value = await valueFor(known, field, attempt)
    if (value !== undefined) body[field.attrName] = value
  }
  return body
}

const numbers = [7, 1, 3, 100, 0, 12, 2, 2020, 5, 40]
const texts = ['', '1', 'a@example.com', '13812345678', '12345']

async function valueFor(known: Known, field: Field, attempt: number): Promise<unknown> {
  const { config } = known
  const { family, temporal, multiple } = findKind(field.uiType)
  const isMust = field.valids.required === true
  counter += 1
  // Later attempts fill only what a row needs, or some of the rest: one of two values may be asked for.
  if (!isMust && (attempt % 3 === 2 || (attempt >= 10 && isLeftOut(field, attempt))))
    return undefined
  switch (family) {
    case 'choice': {
      if (field.dictData !== undefined && field.dictData.length > 0)
        return [field.dictData[attempt % field.dictData.length]]
      const item = await findChoice(known, field, attempt)
      return item === undefined ? undefined : [item]
    }
    case 'number':
      return field.unique === true || isKeyLike(config, field)
        ? 20_000 + (counter % 12_000)
        : numbers[(attempt + field.attrName.length) % numbers.length]
    case 'flag':
      return String(attempt % 2)
    case 'temporal':
      return momentFor(temporal, field.attrName, attempt)
    case 'media':
      return undefined
    case 'text': {
      if (findKind(field.uiType).secret) return `Correct-horse-${counter}`
      return multiple ? undefined : textFor(known, field, attempt)
    }
    default:
      return undefined
  }
}

/** Leaves out another half of the optional fields in each attempt. */
function isLeftOut({ id, attrName }: Field, attempt: number): boolean {
  const sum = [...`${id}${attrName}`].reduce((n, letter) => n + letter.charCodeAt(0), 0)
  return ((sum >> (attempt % 4)) & 1) === attempt % 2
}

function momentFor(
  temporal: ReturnType<typeof findKind>['temporal'],
  name: string,
  attempt: number,
): string {
  // Ends come after starts, and births long before.
  const year = /birth/i.test(name)
    ? 1985
    : /end|due|ship|expir|to$/i.test(name)
      ? 2022
      : attempt >= 4
        ? 2001
        : 2021
  const day = `${year}-03-${String(10 + (counter % 18)).padStart(2, '0')}`
  if (temporal?.unit === 'year') return '2021'
  if (temporal?.hasDay !== true) return '08:09:10'
  return temporal.unit === 'day' ? day : `${day} 08:09:10`
}

const isKeyLike = ({ fields, idField }: EntityConfig, { attrName, isEdit }: Field) =>
  attrName === idField || (isEdit === 2 && fields.length > 0)

function textFor({ config, types }: Known, field: Field, attempt: number): string | undefined {
  const most = field.valids.maxChars ?? 40
  const isMust = field.valids.required === true
  const odd = oddText(types.get(field.attrName) ?? '', attempt)
  if (odd !== null) return isMust || attempt === 0 ? odd : undefined
  const seed = texts[attempt % texts.length] ?? ''
  const unique = `z${counter.toString(36)}`
  if (field.unique === true || isKeyLike(config, field) || seed === '')
    return unique.slice(Math.max(0, unique.length - most)).padEnd(Math.min(most, 3), 'q')
  return seed.slice(0, most)
}

/** A value for types whose text form has rules; the column type is the only clue, as for a person. */
function oddText(type: string, attempt: number): string | null {
  if (type.endsWith('[]'))
    return /int|numeric|real|double/.test(type) ? '{1,2}' : attempt === 0 ? '{a,b}' : '{}'
  if (/^jsonb?$/.test(type)) return `{"a": ${counter}}`
  if (/^uuid$/.test(type)) return `550e8400-e29b-41d4-a716-${String(counter).padStart(12, '0')}`
  if (/^(inet|cidr)$/.test(type)) return '10.0.0.1'
  if (type.startsWith('macaddr')) return '08:00:2b:01:02:03'
  if (type.startsWith('interval')) return '1 day 02:00:00'
  if (/^xml$/.test(type)) return '<a>1</a>'
  if (type.endsWith('range'))
    return /ts/.test(type)
      ? '[2021-01-01,2021-02-01)'
      : /date/.test(type)
        ? '[2021-01-01,2021-02-01)'
        : '[1,5)'
  if (/^point$/.test(type)) return '(1,2)'
  if (type.startsWith('bit'))
    return (/\((\d+)\)/.exec(type)?.[1] ?? '1').replace(/\d+/, (n) => '1'.repeat(Number(n)))
  if (/^time.*tz|with time zone$/.test(type)) return '08:00:00+08'
  return null
}

async function findChoice(
  { api, config: { tag } }: Known,
  field: Field,
  attempt: number,
): Promise<DictItem | undefined> {
  const answer = await api.entityData
    .lookup({
      params: { tag },
      body: { fieldId: field.id, pageNum: 1, pageSize: 50 },
    })
    .catch(() => null)
  const items = answer === null ? [] : Array.isArray(answer) ? answer : answer.records
  return items[(attempt * 7 + counter) % Math.max(1, items.length)]
}

/** Another value for a field of a stored row; undefined when the field cannot be changed simply. */
export async function otherValue(
  known: Known,
  field: Field,
  now: unknown,
  attempt: number,
): Promise<unknown> {
  for (let i = 0; i < 4; i += 1) {
    const value = await valueFor(
      known,
      { ...field, valids: { ...field.valids, required: true } },
      attempt + i,
    )
    if (value !== undefined && JSON.stringify(value) !== JSON.stringify(now)) return value
  }
  return undefined
}
