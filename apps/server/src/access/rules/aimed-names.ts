// Stored row rules name columns, so that they hold for every entity on a table. Where a rule reads across a
// relation, the name says which rows the column points to: `course_id>biz.course(id)`. A definition that is
// changed later moves no rule to another table (docs/rules/security.md#rules-across-relations).

/** The rows that a column points to: a table as `schema.table`, and the columns by which it names a row. */
export interface Aim {
  readonly table: string
  readonly key: readonly string[]
}
export interface AimedName {
  readonly column: string
  readonly aim: Aim
}

export function aimedName({ column, aim }: AimedName): string {
  const table = aim.table.split('.').map(encodeName).join('.')
  return `${encodeName(column)}>${table}(${aim.key.map(encodeName).join(',')})`
}

const pattern = /^([^>()]+)>([^>()]+)\(([^>()]+)\)$/

/** Null for a name that says nothing of where it points. */
export function readAimedName(name: string): AimedName | null {
  const [, column, table, key] = pattern.exec(name) ?? []
  if (column === undefined || table === undefined || key === undefined) return null
  return {
    column: decodeName(column),
    aim: {
      table: table.split('.').map(decodeName).join('.'),
      key: key.split(',').map(decodeName),
    },
  }
}

export function isSameAim(a: Aim, b: Aim): boolean {
  return a.table === b.table && a.key.join('\u0000') === b.key.join('\u0000')
}

/** Names of columns may hold any character. */
function encodeName(name: string): string {
  return name.replace(/[%>().,]/g, (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`)
}

function decodeName(name: string): string {
  return name.replace(/%([0-9a-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
}
