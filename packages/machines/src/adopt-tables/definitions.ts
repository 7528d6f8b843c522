// Selects the drafts to save: those chosen, with their new names, with the columns that the server
// keeps, and without relations to tables that stay out.
import { dictTypes } from '@jiaowu/api/entity/enums'
import type { EntityDefinition } from '@jiaowu/api/entity/definition/definition'
import type { TableDrafts } from '@jiaowu/api/entity/definition/table'
import {
  withKept,
  withLinks,
  withPasswords,
  withSchool,
} from '@jiaowu/api/entity/definition/kept-fields'
import { withoutRelation } from '@jiaowu/validation'

export interface AdoptChoices {
  readonly drafts: TableDrafts['drafts']
  /** Tags of the tables that stay out. */
  readonly left: readonly string[]
  /** New names by tag. */
  readonly names: Readonly<Record<string, string>>
  /** The server keeps the columns that drafts propose. */
  readonly keeps: boolean
  /** Rows belong to the school in the columns that drafts propose. */
  readonly owns: boolean
  /** Columns are relations where their names and values tell. */
  readonly relates: boolean
  /** Passwords that drafts propose are stored as typed. */
  readonly writesPasswords: boolean
}

export function buildDefinitions({
  drafts,
  left,
  names,
  keeps,
  owns,
  relates,
  writesPasswords,
}: AdoptChoices): EntityDefinition[] {
  const away = new Set(left)
  return drafts
    .filter(({ definition }) => !away.has(definition.tag))
    .map(({ definition, kept, school, links, passwords = [] }) => {
      const related = relates && links ? withLinks(definition, links) : definition
      const named = renameDefinition(related, names[definition.tag] ?? '')
      const stamped = keeps && kept ? withKept(named, kept) : named
      const schooled = owns && school ? withSchool(stamped, school.attrName) : stamped
      const own = writesPasswords ? withPasswords(schooled, passwords) : schooled
      return {
        ...own,
        fields: own.fields.map((field) =>
          field.dictType === dictTypes.entity &&
          away.has((field.dictValue ?? '').split('.')[0] ?? '')
            ? withoutRelation(field)
            : field,
        ),
      }
    })
}

function renameDefinition(definition: EntityDefinition, typed: string): EntityDefinition {
  const name = typed.trim()
  return name === '' || name === definition.name
    ? definition
    : { ...definition, name, nameEn: name }
}
