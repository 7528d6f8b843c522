// The configuration of an entity for clients: only what the user may see, in the user's language,
// and without names of tables or columns or the text of SQL.
import type { Button } from '@jiaowu/api/entity/definition/button'
import { defaultTypes, dictTypes } from '@jiaowu/api/entity/enums'
import { type EntityConfig, type Field, isDerived } from '@jiaowu/api/entity/config'
import { entityActions, entityPermission, may } from '@jiaowu/api/entity/permission'
import type { Locale } from '@jiaowu/api/locale'
import { findBin } from '../../model/definition/kept.ts'
import { relationTag } from '../../model/definition/relation.ts'
import { parseTitlePattern } from '../../model/definition/title-pattern.ts'
import type { Context } from '../../model/context.ts'
import {
  accessTo,
  type EntityAccess,
  type FieldUse,
  isAllowed,
  findWidestFlag,
  refusedActions,
} from '../../access/access.ts'
import { dictionaryItems } from '../../model/definition/dictionary.ts'
import { isKeyField, type LoadedEntity, type LoadedField } from '../../model/definition/loaded.ts'
import { sqlValue } from '../custom-sql/run.ts'
import { readParam } from '../../model/definition/params.ts'
import { filterOperator, isQueryable, isSortable } from '../read/query.ts'
import { timesFor } from '../read/filter/times.ts'
import { findShownFlag } from '../figures/low.ts'
import { findSortField } from '../tree/fields.ts'
import { findTreeParent } from '../tree/read.ts'
import { takesFormId } from '../write/form-id.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { findOwnerName, hasStart, loadOwners } from '../flow/owners.ts'
import { isEditable, isSystem } from '../write/values/values.ts'

export function isUnique({ table }: LoadedEntity, { column }: LoadedField): boolean {
  return (
    column !== null &&
    [...table.uniques.values()].some(
      (names) =>
        names.every((name) => name === 'tenant_id' || name === column.name) &&
        names.includes(column.name),
    )
  )
}

/** @throws Refusal 403 without view, 404 for an unknown tag */
export async function buildEntityConfig(
  context: Context,
  entity: LoadedEntity,
): Promise<EntityConfig> {
  const access = await accessTo(context, entity, 'view')
  const { definition } = entity
  const tree = treeFor(access)
  const { selection, operColumnShow, singleSelect, multiSelect, openType, sorts } =
    definition.options
  const fields: Field[] = []
  const owners = await loadOwners(databaseOf(context), context, entity)
  const refuses = refusedActions(entity)
  const times = timesFor(access)
  const permissions = entityActions
    .filter((action) => !refuses.includes(action))
    .map((action) => entityPermission(definition.tag, action))
    .filter((code) => may(context.subject.permissions, code))
  for (const field of entity.fields.filter((each) => isShown(access, each)))
    fields.push(closeOwned(await fieldFor(context, access, field), field, owners, context.locale))
  return {
    tag: definition.tag,
    name: inLanguage(context.locale, definition.name, definition.nameEn),
    fields,
    buttons: definition.buttons
      .filter(({ status }) => status === 1)
      .map((button) => buttonFor(context.locale, button)),
    options: {
      selection,
      operColumnShow,
      singleSelect,
      multiSelect,
      openType,
      sorts: sorts.filter(({ column }) => fields.some(({ attrName }) => attrName === column)),
    },
    ...entryFor(access, permissions, context.subject.permissions),
    ...(definition.options.flow !== undefined && { flow: true }),
    idField: definition.idField,
    tagField: definition.tagField,
    ...titleFor(entity, fields),
    permissions,
    ...(findBin(entity) !== null &&
      permissions.includes(entityPermission(definition.tag, 'delete')) && { recycles: true }),
    ...(takesFormId(entity) && { formId: true }),
    ...(refuses.length > 0 && { refuses }),
    ...(times.length > 0 && { times }),
    ...(tree !== undefined && { tree }),
  }
}

/** A pattern names rows for those who may see all of its fields. */
function titleFor(
  entity: LoadedEntity,
  fields: readonly Field[],
): Pick<EntityConfig, 'titlePattern'> {
  const { titlePattern } = entity.definition.options
  const pattern = parseTitlePattern(entity)
  return pattern !== null &&
    titlePattern !== undefined &&
    pattern.fields.every(({ definition: { attrName } }) =>
      fields.some((field) => field.attrName === attrName),
    )
    ? { titlePattern }
    : {}
}

/** Entry sheets, for those who may change rows and see all of their fields. */
function entryFor(
  access: EntityAccess,
  permissions: readonly string[],
  all: ReadonlySet<string>,
): Pick<EntityConfig, 'entry'> {
  const { tag, options } = access.entity.definition
  const { entry } = options
  if (entry === undefined || !permissions.includes(entityPermission(tag, 'update'))) return {}
  const shown = (name: string) => {
    const field = access.entity.field(name)
    return field !== undefined && isAllowed(access, field, 'any')
  }
  if (![...entry.by, ...entry.frozen, ...entry.columns, entry.progress].every(shown)) return {}
  const { add, passed: _passed, ...sheet } = entry
  const field = access.entity.field(add?.field ?? '')
  const target = field === undefined ? null : relationTag(field.definition)
  const mayAdd =
    target !== null &&
    shown(add?.field ?? '') &&
    permissions.includes(entityPermission(tag, 'add')) &&
    may(all, entityPermission(target, 'view'))
  return {
    entry: { ...sheet, ...(add !== undefined && mayAdd && { add: { ...add, tag: target } }) },
  }
}

/** The fields for parent and order of a tree; no sort field when the caller may not edit it. */
function treeFor(access: EntityAccess): EntityConfig['tree'] {
  const [parent, sort] = [findTreeParent(access), findSortField(access.entity)]
  return parent === null
    ? undefined
    : {
        parentField: parent.definition.attrName,
        sortField:
          sort !== null && isEditable(access, sort, 'edit') ? sort.definition.attrName : null,
      }
}

function isShown(access: EntityAccess, field: LoadedField): boolean {
  return isAllowed(access, field, 'any') || isKeyField(access.entity, field)
}

/** A field that a flow alone changes: new rows take a value only where it has no default to begin with. */
function closeOwned(
  shown: Field,
  field: LoadedField,
  owners: Awaited<ReturnType<typeof loadOwners>>,
  locale: Locale,
): Field {
  const owner = findOwnerName(owners, field, locale)
  return owner === undefined
    ? shown
    : {
        ...shown,
        owner,
        isEdit: shown.isEdit === 1 ? 2 : shown.isEdit,
        isAdd: shown.isAdd === 1 && hasStart(field) ? 2 : shown.isAdd,
      }
}

async function fieldFor(
  context: Context,
  access: EntityAccess,
  field: LoadedField,
): Promise<Field> {
  const { definition: d, kind } = field
  const mode = (flag: 'isAdd' | 'isEdit') => {
    const is = findWidestFlag(access, field, flag)
    const isServers = isSystem(access.entity, field, flag === 'isAdd' ? 'add' : 'edit')
    return is === 1 && (isServers || isDerived(d)) ? 2 : is
  }
  const shown = (use: FieldUse) => (isAllowed(access, field, use) ? 1 : 0)
  const isDictionary =
    kind.family === 'choice' && d.dictType === dictTypes.dictionary && d.dictValue !== null
  return {
    id: d.id,
    attrName: d.attrName,
    uiLabel: inLanguage(context.locale, d.uiLabel, d.options.labelEn),
    uiType: d.uiType,
    uiWidth: d.uiWidth,
    dictType: d.dictType,
    dictValue: d.dictType === dictTypes.sql ? null : d.dictValue,
    linkType: d.linkType,
    linkUrl: d.linkUrl,
    isList: shown('list'),
    isQuery: isQueryable(access, field) ? 1 : 0,
    isDetail: d.isDetail === 1 ? shown('detail') : 0,
    isExport: shown('export'),
    isAdd: mode('isAdd'),
    isEdit: mode('isEdit'),
    queryType: field.pii === null ? d.queryType : (filterOperator(field) ?? d.queryType),
    ...(await defaultFor(context, d)),
    disabled: d.disabled,
    valids: d.valids,
    options: optionsFor(context.locale, access, d.options),
    sortable: isSortable(access, field),
    ...(field.pii !== null && { pii: field.pii }),
    ...(isDerived(d) && { derived: d.derived }),
    ...(isUnique(access.entity, field) && { unique: true }),
    ...(d.attrName === access.entity.definition.options.serialNumField && { numbered: true }),
    ...(isDictionary && { dictData: await dictionaryItems(context, d.dictValue ?? '') }),
  }
}

function inLanguage(locale: Locale, zh: string, en: string | undefined): string {
  return locale === 'en' && en !== undefined && en !== '' ? en : zh
}

/** Resolves system constants and custom SQL to text. SQL that fails gives no default. */
async function defaultFor(
  context: Context,
  { uiDefaultType, defaultValue }: LoadedField['definition'],
): Promise<Pick<Field, 'uiDefaultType' | 'defaultValue'>> {
  if (uiDefaultType !== defaultTypes.constant && uiDefaultType !== defaultTypes.sql)
    return { uiDefaultType, defaultValue }
  const value =
    defaultValue === null
      ? null
      : uiDefaultType === defaultTypes.sql
        ? await sqlValue(context, defaultValue)
        : await readParam(context, defaultValue)
  return value === null
    ? { uiDefaultType: defaultTypes.none, defaultValue: null }
    : { uiDefaultType: defaultTypes.text, defaultValue: value }
}

function optionsFor(
  locale: Locale,
  access: EntityAccess,
  { labelEn, column, warnBelow, warnUnless, ...options }: Field['options'],
): Field['options'] {
  return {
    ...options,
    // A switch replaces the number, also for those who may not see it: they see no marks.
    ...(warnUnless === undefined && warnBelow !== undefined && { warnBelow }),
    ...(warnUnless !== undefined && findShownFlag(access, warnUnless) !== null && { warnUnless }),
    ...(labelEn !== undefined && { labelEn }),
    // The column heading of a definition is Chinese; in English the field's label replaces it.
    ...(column !== undefined && {
      column: locale === 'en' ? (({ label: _label, ...rest }) => rest)(column) : column,
    }),
  }
}

function buttonFor(locale: Locale, { nameEn, ...button }: Button): Button {
  return {
    ...button,
    name: inLanguage(locale, button.name, nameEn),
    eventContent:
      button.eventType === 2 || typeof button.eventContent === 'string'
        ? null
        : button.eventContent,
  }
}
