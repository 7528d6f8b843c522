// Tables from elsewhere that a saved definition gives to schools: statements on them name the school too.

/** `schema.table` of the definitions among the values of a statement that writes definitions. */
export function adoptedTables(text: string, values: unknown): string[] {
  if (!/\bsys"?\."?entity\b/.test(text) || !Array.isArray(values)) return []
  return values
    .flatMap(definitionIn)
    .flatMap(({ schemaName, tableName, options }) =>
      options?.systemColumns?.includes('tenant_id') === true &&
      schemaName !== undefined &&
      tableName !== undefined
        ? [`${schemaName}.${tableName}`]
        : [],
    )
}

interface Definition {
  readonly schemaName?: string
  readonly tableName?: string
  readonly options?: { readonly systemColumns?: readonly string[] }
}

function definitionIn(value: unknown): Definition[] {
  if (typeof value === 'object' && value !== null) return [value]
  if (typeof value !== 'string' || !value.includes('"systemColumns"')) return []
  return [JSON.parse(value) as Definition]
}
