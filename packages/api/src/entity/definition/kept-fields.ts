// Fields of a table from elsewhere that the server keeps where a definition says so: who made and
// changed a row, when, and whether it is deleted. A draft proposes them; a person decides.
import type { NamedLinks } from './table.ts'
import type { EntityDefinition, FieldDefinition, KeptFields } from './definition.ts'

/** The attrNames that are kept. */
export function keptNames({ deleted, ...stamps }: KeptFields): readonly string[] {
  return [deleted?.attrName, ...Object.values(stamps)].filter((name) => name !== undefined)
}

/**
 * The definition whose rows belong to the school in the field's column `tenant_id`: users see those of
 * their own school, new rows get its number, and the field itself goes.
 */
export function withSchool(definition: EntityDefinition, attrName: string): EntityDefinition {
  const { systemColumns = [] } = definition.options
  return {
    ...definition,
    options: { ...definition.options, systemColumns: [...systemColumns, 'tenant_id'] },
    fields: definition.fields.filter((field) => field.attrName !== attrName),
  }
}

/** The definition with fields of passwords, which are stored as they are typed. */
export function withPasswords(
  definition: EntityDefinition,
  passwords: readonly FieldDefinition[],
): EntityDefinition {
  return {
    ...definition,
    fields: [...definition.fields, ...passwords].toSorted((a, b) => a.uiSort - b.uiSort),
  }
}

/** The definition with relations that the names of its columns tell. */
export function withLinks(
  definition: EntityDefinition,
  { fields, parentField }: NamedLinks,
): EntityDefinition {
  return { ...definition, parentField, fields: [...fields] }
}

/** The definition with these fields kept by the server: users no longer fill them in. */
export function withKept(definition: EntityDefinition, kept: KeptFields): EntityDefinition {
  const names = new Set(keptNames(kept))
  const flag = kept.deleted?.attrName
  return {
    ...definition,
    options: { ...definition.options, kept },
    fields: definition.fields.map((field) => {
      if (!names.has(field.attrName)) return field
      const { required: _required, ...valids } = field.valids
      const filled = {
        ...field,
        valids,
        isAdd: 0 as const,
        isEdit: 0 as const,
        uiDefaultType: -1 as const,
        defaultValue: null,
      }
      // Lists hold only rows that are not deleted.
      return field.attrName === flag
        ? { ...filled, isList: 0 as const, isQuery: 0 as const, isExport: 0 as const }
        : filled
    }),
  }
}
