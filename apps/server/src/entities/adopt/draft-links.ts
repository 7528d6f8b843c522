// Foreign keys as relations: a select on the target's entity, by its title.
import { dictTypes } from '@jiaowu/api/entity/enums'
import type { EntityDraft, FieldDraft } from '@jiaowu/api/entity/definition/definition'
import { keptNames } from '@jiaowu/api/entity/definition/kept-fields'
import { findKind } from '@jiaowu/api/fields/kinds'
import type { Locale } from '@jiaowu/api/locale'
import { t } from '@jiaowu/api/texts/index'
import { operatorFor } from '@jiaowu/validation'
import type { DraftedTable } from './draft-table.ts'
import type { ForeignKey } from './inspect.ts'
import { relationLabel } from './names.ts'
import type { NameLink } from './name-links.ts'

/** An entity that a relation may point to: stored, or drafted in the same step. */
export interface LinkTarget {
  readonly tag: string
  readonly name: string
  /** Columns of its key. */
  readonly key: readonly string[]
  readonly tagField: string | null
  readonly fields: readonly Pick<FieldDraft, 'attrName' | 'columnName' | 'uiType'>[]
}

/** Resolves the links of a draft; those without a target are noted. */
export function linkDraft(
  drafted: DraftedTable,
  targetOf: (schema: string, table: string) => LinkTarget | undefined,
  locale: Locale,
): void {
  const { table, notes } = drafted
  for (const link of table.links) {
    const [column, ...more] = link.columns
    const where = `${link.schema === table.schema ? '' : `${link.schema}.`}${link.table}`
    if (column === undefined || more.length > 0) {
      notes.push(
        t(locale, 'adopt.note.compositeLink', { columns: link.columns.join(', '), table: where }),
      )
      continue
    }
    const target = targetOf(link.schema, link.table)
    const field = drafted.definition.fields.find(({ columnName }) => columnName === column)
    if (field === undefined) continue
    const linked = target === undefined ? null : linkedField(drafted, field, link, target)
    if (linked === null) notes.push(t(locale, 'adopt.note.noTarget', { column, table: where }))
    else {
      drafted.definition = withField(drafted.definition, linked, link, drafted)
      const columns = link.besides.join(', ')
      if (columns !== '')
        notes.push(t(locale, 'adopt.note.besides', { column, columns, table: where }))
    }
  }
}

/**
 * The definition with the relations that the names of columns tell, which are noted; null where there are
 * none. The draft itself stays as it is.
 */
export function relateByName(
  drafted: DraftedTable,
  links: readonly NameLink[],
  targetOf: (schema: string, table: string) => LinkTarget | undefined,
  locale: Locale,
): EntityDraft | null {
  const kept = new Set(keptNames(drafted.kept ?? {}))
  const open = links.filter(({ columns: [column] }) => {
    const field = drafted.definition.fields.find(({ columnName }) => columnName === column)
    return (
      field !== undefined &&
      (field.dictType ?? dictTypes.none) === dictTypes.none &&
      !kept.has(field.attrName) &&
      field.attrName !== drafted.school
    )
  })
  const related = { ...drafted, table: { ...drafted.table, links: open }, notes: [] }
  linkDraft(related, targetOf, locale)
  const isLinked = ({ columns: [column] }: NameLink) =>
    related.definition.fields.some(
      ({ columnName, dictType }) => columnName === column && dictType === dictTypes.entity,
    )
  const told = open.filter(isLinked)
  if (told.length === 0) return null
  const columns = told.map(({ columns: [column = ''], table, values }) =>
    t(locale, 'adopt.note.link', { column, table, values }),
  )
  drafted.notes.push(t(locale, 'adopt.note.links', { columns: columns.join(', ') }))
  return related.definition
}

function linkedField(
  { table, key }: DraftedTable,
  field: FieldDraft,
  link: ForeignKey,
  target: LinkTarget,
): FieldDraft | null {
  const [column = ''] = link.targets
  const isId = target.key.length === 1 && target.key[0] === column
  const value = target.fields.find(({ columnName }) => columnName === column)
  if (!isId && value === undefined) return null
  const shown =
    target.tagField ??
    value?.attrName ??
    target.fields.find(({ columnName }) => columnName !== null)?.attrName
  if (shown === undefined) return null
  const isTree = isSelf(table, link) && isId && key.length === 1 && field.isPk !== 1
  const { precision: _precision, items: _items, ...options } = field.options ?? {}
  const uiType = isTree ? 'selectTree' : 'select'
  return {
    ...field,
    uiType,
    uiLabel: linkLabel(field.uiLabel, target),
    dictType: dictTypes.entity,
    dictValue: `${target.tag}.${shown}`,
    queryType: operatorFor(uiType),
    uiDefaultType: -1,
    defaultValue: null,
    pii: null,
    valids: field.valids?.required === true ? { required: true } : {},
    options: {
      ...options,
      ...(options.labelEn !== undefined && { labelEn: linkLabel(options.labelEn, target) }),
      ...(!isId && value !== undefined && { valueAttr: value.attrName }),
    },
  }
}

/** `sid` is a student: what is left of so short a name says nothing. */
function linkLabel(label: string, { name }: LinkTarget): string {
  const short = relationLabel(label)
  return /^[A-Za-z]{1,2}(id)?$/i.test(short) ? name : short
}

const isSelf = (table: DraftedTable['table'], link: ForeignKey) =>
  link.schema === table.schema && link.table === table.name

function withField(
  definition: EntityDraft,
  linked: FieldDraft,
  link: ForeignKey,
  { table }: DraftedTable,
): EntityDraft {
  const isParent = findKind(linked.uiType ?? 'input').tree && isSelf(table, link)
  return {
    ...definition,
    ...(isParent && (definition.parentField ?? null) === null && { parentField: linked.attrName }),
    fields: definition.fields.map((field) => (field.attrName === linked.attrName ? linked : field)),
  }
}
