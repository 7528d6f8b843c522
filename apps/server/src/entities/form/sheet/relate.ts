// The entities whose records the values of a column name, looked up as an import does: by name, by a unique
// text or by the id.
import { fieldDefinitionSchema } from '@jiaowu/api/entity/definition/definition'
import { dictTypes } from '@jiaowu/api/entity/enums'
import { findKind } from '@jiaowu/api/fields/kinds'
import * as v from 'valibot'
import type { Context } from '../../../model/context.ts'
import type { LoadedEntity, LoadedField } from '../../../model/definition/loaded.ts'
import { findServerField } from '../../../model/fields/index.ts'
import { createResolver, type Resolver } from '../../import/rows/resolve.ts'
import type { ColumnFacts } from './column-facts.ts'

/** A column whose values may name records. */
export interface Candidate {
  readonly column: number
  readonly header: string
  readonly facts: ColumnFacts
}

/** By column: the entity that has all of its values, and one that has most of them. */
export interface Related {
  readonly whole: LoadedEntity | null
  readonly nearly: { readonly entity: LoadedEntity; readonly found: number } | null
}

/** Values that are looked up before all of a column are. */
const tried = 8
/** The share of the values that is worth a word. */
const most = 0.6

export async function findRelations(
  context: Context,
  targets: readonly LoadedEntity[],
  candidates: readonly Candidate[],
): Promise<ReadonlyMap<number, Related>> {
  const fields = targets.map(buildField)
  const resolver = await createResolver(context, fields)
  // Looking up unknown words may read a whole table: once for the first words of all columns.
  const first = new Set(candidates.flatMap(({ facts }) => [...facts.values.keys()].slice(0, tried)))
  for (const { definition } of fields) await resolver.prepare(definition.attrName, first, new Set())
  const found = new Map<number, Related>()
  for (const { column, header, facts } of candidates) {
    const words = [...facts.values.keys()]
    let related: Related = { whole: null, nearly: null }
    let best = 0
    for (const [at, entity] of targets.entries()) {
      const field = fields[at]
      if (field === undefined) continue
      const sample = words.slice(0, tried)
      const share = countFound(resolver, field, sample) / sample.length
      if (share < most) continue
      await resolver.prepare(field.definition.attrName, new Set(words), new Set())
      const count = countFound(resolver, field, words)
      const isWhole = count === words.length && !facts.isMany
      if (isWhole && related.whole === null && (namesEntity(header, entity) || tellsEnough(words)))
        related = { ...related, whole: entity }
      else if (!isWhole && count / words.length > Math.max(best, most)) {
        best = count / words.length
        related = { ...related, nearly: { entity, found: count } }
      }
    }
    found.set(column, related)
  }
  return withoutTwins(candidates, found)
}

/** Headings that any table has say nothing of another one. */
const generalHeading = /^(?:编号|代码|名称|序号|姓名|标题|编码|id|no\.?|code|name|title)$/i

/** Whether the heading names the entity, or a field of it: 学号, 课程名称, 授课教师. */
function namesEntity(header: string, { definition }: LoadedEntity): boolean {
  const text = header.trim().toLowerCase()
  if (text === '' || generalHeading.test(text)) return false
  const names = [definition.name, definition.nameEn ?? ''].map((name) => name.toLowerCase())
  return (
    names.some((name) => name.length > 1 && text.includes(name)) ||
    definition.fields.some(({ uiLabel }) => uiLabel.toLowerCase() === text)
  )
}

const enoughValues = 5
const enoughCharacters = 4

/** Values that are in another table by more than chance: short codes such as A1 are in many. */
function tellsEnough(words: readonly string[]): boolean {
  const weight = (word: string) => [...word].length + (/\p{Script=Han}/u.test(word) ? 2 : 0)
  return words.length >= enoughValues && words.every((word) => weight(word) >= enoughCharacters)
}

function buildField(entity: LoadedEntity, at: number): LoadedField {
  const { tag, definition } = entity
  return {
    definition: v.parse(fieldDefinitionSchema, {
      id: String(at + 1),
      attrName: `to${at}`,
      uiLabel: '',
      uiType: 'select',
      dictType: dictTypes.entity,
      dictValue: `${tag}.${definition.tagField ?? definition.idField}`,
    }),
    kind: findKind('select'),
    storage: findServerField('select'),
    column: null,
    pii: null,
    sealer: null,
    reads: [],
  }
}

function countFound(resolver: Resolver, field: LoadedField, words: readonly string[]): number {
  return words.filter((word) => resolver.isKnown(field, word)).length
}

const code = /(?:号|码|编号|代码|id|no\.?|code|number)$/i

/** Beside the number of a record its name says nothing more: 学号 beside 姓名. */
function withoutTwins(
  candidates: readonly Candidate[],
  found: ReadonlyMap<number, Related>,
): ReadonlyMap<number, Related> {
  const coded = new Set(
    candidates.flatMap(({ column, header }) =>
      code.test(header) ? (found.get(column)?.whole?.tag ?? []) : [],
    ),
  )
  return new Map(
    candidates.flatMap(({ column, header }) => {
      const related = found.get(column)
      if (related === undefined) return []
      const isTwin = !code.test(header) && coded.has(related.whole?.tag ?? '')
      return [[column, isTwin ? { whole: null, nearly: null } : related] as const]
    }),
  )
}
