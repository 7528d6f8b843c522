// Fields whose choices are rows of another entity: dictType 1, dictValue `TAG.attrName`. The field
// stores the row's id and shows its `attrName`.
import { dictTypes, type PiiKind } from '@jiaowu/api/entity/enums'
import { fillTitle } from '@jiaowu/api/entity/title'
import { jsonText } from '@jiaowu/api/exact-json'
import { maskPii } from '@jiaowu/api/pii'
import * as v from 'valibot'
import type { Context } from '../context.ts'
import type { Sealer } from '../sealed/sealed-columns.ts'
import type { LoadedEntity, LoadedField } from './loaded.ts'
import type { Keyed } from './row-key.ts'
import { parseTitlePattern, parseSubtitlePattern, type TitlePattern } from './title-pattern.ts'

/** The parts that name a row. */
export interface Naming {
  /** The fields that may name a row, in order: the first that the caller may read does. */
  readonly labels: readonly LoadedField[]
  /** Names a row before them, for who may read all of its fields. */
  readonly pattern: TitlePattern | null
  /** The relations among these fields: their labels stand for the ids that they store. */
  readonly related: ReadonlyMap<LoadedField, Relation>
}

export interface Relation extends Naming {
  readonly target: LoadedEntity
  /** The key that the field stores: that of the target's rows, or a unique column of them. */
  readonly keyed: Keyed
  /** The second line of a choice, which tells namesakes apart; null without one. */
  readonly subtitle: Naming | null
  /** Personal data in the name is masked for everyone (docs/rules/security.md#d4). */
  readonly pii: PiiKind | null
  readonly sealer: Sealer | null
}

/** Begins the JSON list of a pattern's parts; no text that a form takes contains it. */
export const partsMark = '\u001f'
/** Begins the label of a related row, after the number of the field among the labels. */
export const relatedMark = '\u001e'

const partList = v.pipe(v.string(), jsonText, v.array(v.nullable(v.string())))

/** The name of a row as users see it, from what `labelRef` answers in the form `parts`. */
export function shownName(naming: Naming, name: string): string {
  return nameFrom(naming, name, false)
}

/** The name of a row in full, to compare it with what users typed. */
export function plainName(relation: Relation, name: string): string {
  const { pattern, sealer } = relation
  const isParted = pattern !== null && name.startsWith(partsMark)
  if (isParted || name.startsWith(relatedMark)) return nameFrom(relation, name, true)
  return sealer === null ? name : shownName(relation, name)
}

function nameFrom(naming: Naming, name: string, isPlain: boolean): string {
  const { labels, pattern, related } = naming
  if (name.startsWith(relatedMark)) {
    const end = name.indexOf(relatedMark, 1)
    const field = labels[Number(name.slice(1, end))]
    const relation = field === undefined ? undefined : related.get(field)
    const rest = name.slice(end + 1)
    return relation === undefined ? rest : nameFrom(relation, rest, isPlain)
  }
  if (pattern !== null && name.startsWith(partsMark)) {
    const values = v.parse(partList, name.slice(1))
    return fillTitle(pattern.parts, (attrName) => {
      const at = pattern.fields.findIndex(({ definition }) => definition.attrName === attrName)
      const [field, value] = [pattern.fields[at], values[at] ?? '']
      if (field === undefined || value === '') return ''
      const relation = related.get(field)
      return relation === undefined
        ? openText(field, value, isPlain)
        : nameFrom(relation, value, isPlain)
    })
  }
  const [first] = labels
  return first === undefined ? name : openText(first, name, isPlain)
}

function openText({ sealer, pii }: LoadedField, text: string, isPlain: boolean): string {
  const opened = sealer?.open(text) ?? text
  return pii === null || isPlain ? opened : maskPii(pii, opened)
}

export function relationTag({
  dictType,
  dictValue,
}: Pick<LoadedField['definition'], 'dictType' | 'dictValue'>): string | null {
  return dictType === dictTypes.entity && dictValue !== null
    ? (dictValue.split('.')[0] ?? null)
    : null
}

type Reader = Pick<Context, 'registry' | 'subject'>

/** A label may be that of another relation, which may be that of a third, and no further. */
const maxDepth = 3

/**
 * Null when the entity does not exist; the field then has no choices.
 * @param path sources on the way to the field, `TAG.attrName`: a label that leads back to one is none
 */
export async function loadRelation(
  context: Reader,
  field: LoadedField,
  path: readonly string[] = [],
): Promise<Relation | null> {
  const { registry, subject } = context
  const tag = relationTag(field.definition)
  const target = tag === null ? undefined : await registry.find(subject.tenant, tag)
  if (target === undefined) return null
  const { valueAttr } = field.definition.options
  const value = valueAttr === undefined ? null : target.column(valueAttr)
  // Without its column nothing can be chosen, and no row is mistaken for another.
  if (value === undefined) return null
  const keyed = value === null ? target : { key: [value], digest: null }
  const own = field.definition.dictValue?.split('.')[1]
  const { idField, tagField, options } = target.definition
  const isTitle =
    own === undefined || own === idField || (own === tagField && options.titleInColumns !== false)
  const steps = [...path, field.definition.dictValue ?? '']
  const naming = await namingFor(context, findLabelFields(target, own), {
    pattern: isTitle ? parseTitlePattern(target) : null,
    path: steps,
  })
  const subtitle = path.length > 0 ? null : parseSubtitlePattern(target)
  return {
    ...naming,
    ...personalIn(naming),
    target,
    keyed,
    subtitle: subtitle && (await namingFor(context, [], { pattern: subtitle, path: steps })),
  }
}

/** The personal data in the name of a row, also that of a related row. */
function personalIn({ pattern, labels, related }: Naming): Pick<Relation, 'pii' | 'sealer'> {
  const named = [...(pattern?.fields ?? []), ...labels.slice(0, 1)]
  const all = [...named, ...named.flatMap((field) => related.get(field) ?? [])]
  return {
    pii: all.find(({ pii }) => pii !== null)?.pii ?? null,
    sealer: all.find(({ sealer }) => sealer !== null)?.sealer ?? null,
  }
}

/** Finds the parts that name a row of the entity itself, as its title. */
export async function titleNaming(context: Reader, entity: LoadedEntity): Promise<Naming> {
  const labels = findLabelFields(entity, undefined)
  return await namingFor(context, labels, { pattern: parseTitlePattern(entity), path: [] })
}

async function namingFor(
  context: Reader,
  labels: readonly LoadedField[],
  { pattern, path }: { readonly pattern: TitlePattern | null; readonly path: readonly string[] },
): Promise<Naming> {
  const related = new Map<LoadedField, Relation>()
  for (const field of new Set([...(pattern?.fields ?? []), ...labels])) {
    const { dictValue } = field.definition
    const isOpen = path.length < maxDepth && dictValue !== null && !path.includes(dictValue)
    const relation =
      isOpen && relationTag(field.definition) !== null
        ? await loadRelation(context, field, path)
        : null
    if (relation !== null) related.set(field, relation)
  }
  // The id that such a field stores names no row.
  const isNamed = (field: LoadedField) =>
    relationTag(field.definition) === null || related.has(field)
  return {
    labels: labels.filter(isNamed),
    pattern: pattern !== null && pattern.fields.every(isNamed) ? pattern : null,
    related,
  }
}

/**
 * The named attribute, then the title. `TAG.idField` and a bare `TAG` show the title. Never a
 * password.
 */
function findLabelFields(target: LoadedEntity, attrName: string | undefined): LoadedField[] {
  const { idField, tagField } = target.definition
  const names = [attrName === idField ? undefined : attrName, tagField ?? undefined]
  return [...new Set(names)].flatMap((name) => {
    const field = name === undefined ? undefined : target.field(name)
    if (field === undefined || field.column === null || field.kind.secret) return []
    // A title with personal data replaces no other label: only the first one is masked.
    return field.pii !== null && name !== names.find((each) => each !== undefined) ? [] : [field]
  })
}
