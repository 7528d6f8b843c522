/** A node of PostgreSQL's parse tree. */
export type Tree = { readonly [key: string]: unknown }

export function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function treesIn(list: unknown): Tree[] {
  return Array.isArray(list) ? list.filter(isTree) : []
}

/** `sys.job` or `sys.job as j`. */
export function formatAlias(alias: string, table: string): string {
  return table.endsWith(`.${alias}`) ? table : `${table} as ${alias}`
}

/** The words of a column reference: `['u', 'tenant_id']`. */
export function readColumnPath(node: unknown): string[] | null {
  const reference = isTree(node) ? node['ColumnRef'] : undefined
  return isTree(reference)
    ? treesIn(reference['fields']).map((field) =>
        isTree(field['String']) ? String(field['String']['sval'] ?? '') : '*',
      )
    : null
}

/** The last word of the name of a function, type or operator. */
export function lastName(list: unknown): string {
  const last = treesIn(list).at(-1)
  return isTree(last) && isTree(last['String']) ? String(last['String']['sval'] ?? '') : ''
}
