import type {
  EntityDefinition,
  EntityOptions,
  EntrySheet,
} from '@jiaowu/api/entity/definition/definition'
import { type BoundName, boundNames } from '@jiaowu/validation'

/**
 * Follows a field to its new attrName wherever the definition names it: title, tree, sorts, entry
 * sheet, serial number, kept fields, cascades and formulas. A name that another field has as well,
 * or an empty one, is not followed.
 */
export function followRename(draft: EntityDefinition, from: string, to: string): EntityDefinition {
  if (from === to || from === '' || to === '') return draft
  if (draft.fields.filter(({ attrName }) => attrName === from || attrName === to).length > 1)
    return draft
  const name = <T extends string | null>(old: T): T | string => (old === from ? to : old)
  return {
    ...draft,
    idField: name(draft.idField),
    tagField: name(draft.tagField),
    parentField: name(draft.parentField),
    options: optionsWith(draft.options, name, from, to),
    fields: draft.fields.map((field) => ({
      ...field,
      attrName: name(field.attrName),
      derived: inFormula(field.derived, from, to),
      valids: { ...field.valids, ...boundsWith(field.valids, from, to) },
      options: fieldOptionsWith(field.options, name),
    })),
    buttons: draft.buttons.map((button) => ({
      ...button,
      positionExp: inFormula(button.positionExp, from, to),
    })),
  }
}

/** The bounds that are expressions. */
function boundsWith(
  valids: EntityDefinition['fields'][number]['valids'],
  from: string,
  to: string,
): Readonly<Partial<Record<BoundName, string>>> {
  return Object.fromEntries(
    boundNames.flatMap((name) => {
      const bound = valids[name]
      return typeof bound === 'string' ? [[name, inFormula(bound, from, to) ?? bound]] : []
    }),
  )
}

function fieldOptionsWith(
  options: EntityDefinition['fields'][number]['options'],
  name: Name,
): EntityDefinition['fields'][number]['options'] {
  const { cascades, warnUnless } = options
  return {
    ...options,
    ...(warnUnless === undefined ? {} : { warnUnless: name(warnUnless) }),
    ...(cascades === undefined
      ? {}
      : { cascades: cascades.map((each) => ({ ...each, attrName: name(each.attrName) })) }),
  }
}

type Name = <T extends string | null>(old: T) => T | string

function optionsWith(options: EntityOptions, name: Name, from: string, to: string): EntityOptions {
  const { entry, kept, titlePattern, subtitlePattern } = options
  return {
    ...options,
    sorts: options.sorts.map((sort) => ({ ...sort, column: name(sort.column) })),
    serialNumField: name(options.serialNumField),
    ...(entry === undefined ? {} : { entry: entryWith(entry, name) }),
    ...(titlePattern === undefined
      ? {}
      : { titlePattern: titlePattern.replaceAll(`{${from}}`, () => `{${to}}`) }),
    ...(subtitlePattern === undefined
      ? {}
      : { subtitlePattern: subtitlePattern.replaceAll(`{${from}}`, () => `{${to}}`) }),
    ...(kept === undefined ? {} : { kept: keptWith(kept, name) }),
  }
}

function entryWith(entry: EntrySheet, name: Name): EntrySheet {
  return {
    ...entry,
    by: entry.by.map(name),
    frozen: entry.frozen.map(name),
    columns: entry.columns.map(name),
    progress: name(entry.progress),
    ...(entry.passed === undefined ? {} : { passed: name(entry.passed) }),
    ...(entry.add === undefined ? {} : { add: { ...entry.add, field: name(entry.add.field) } }),
  }
}

type Kept = NonNullable<EntityOptions['kept']>

function keptWith({ deleted, ...filled }: Kept, name: Name): Kept {
  return {
    ...Object.fromEntries(
      Object.entries(filled).flatMap(([part, attrName]) =>
        attrName === undefined ? [] : [[part, name(attrName)]],
      ),
    ),
    ...(deleted === undefined ? {} : { deleted: { ...deleted, attrName: name(deleted.attrName) } }),
  }
}

/** Texts in quotes are left alone. */
function inFormula(formula: string | null, from: string, to: string): string | null {
  if (formula === null) return null
  const own = new RegExp(`\\brow\\s*\\.\\s*${from}(?!\\w)`, 'g')
  return formula
    .split(/('[^']*'|"[^"]*")/)
    .map((part, at) => (at % 2 === 1 ? part : part.replace(own, () => `row.${to}`)))
    .join('')
}
