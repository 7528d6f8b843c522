// Recognises a statement of another database by what PostgreSQL does not have, to name it in an error.

interface Dialect {
  readonly name: string
  readonly marks: RegExp
  readonly way: string
}

const asSheets = 'or export its tables as csv and import them in the console'
/** Strings and comments are taken out before: `marks` are tried on plain SQL. */
const dialects: readonly Dialect[] = [
  {
    name: 'MySQL or MariaDB',
    marks: /`|\bengine\s*=\s*\w+|\bauto_increment\b|^(un)?lock\s+tables\b|^delimiter\b|^use\s+\w+/i,
    way: `bring it into PostgreSQL with pgloader, ${asSheets}`,
  },
  {
    name: 'SQL Server',
    marks:
      /\[\w+\]\s*[.(]|(^|\n)\s*go\s*(\n|$)|\b(non)?clustered\b|\bidentity\s*\(\s*\d+\s*,|\bnvarchar\b|^use\s+\[|\bset\s+(ansi_nulls|quoted_identifier|identity_insert)\b/i,
    way: `bring it into PostgreSQL with pgloader, ${asSheets}`,
  },
  {
    name: 'Oracle',
    marks:
      /\b(n?varchar2|nclob|clob)\b|\bnumber\s*(\(|,|\s+(not\s+null|primary|default))|\bto_date\s*\(|\bstorage\s*\(|^(prompt|rem)\b|\bsegment\s+creation\b|\bsysdate\b/i,
    way: `bring it into PostgreSQL with ora2pg, ${asSheets}`,
  },
  {
    name: 'SQLite',
    marks: /^pragma\b|\bautoincrement\b|\bwithout\s+rowid\b|\bsqlite_sequence\b/i,
    way: `bring it into PostgreSQL with pgloader, ${asSheets}`,
  },
]

/** A sentence about the database that a refused statement was written for; `null` for PostgreSQL. */
export function otherDialect(text: string): string | null {
  const plain = text
    .replace(/'(?:[^'\\]|\\.|'')*'/g, "''")
    .replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, ' ')
    .trim()
  const found = dialects.find(({ marks }) => marks.test(plain))
  if (found === undefined) return null
  return `this is SQL of ${found.name}, and only SQL of PostgreSQL can be read; ${found.way}`
}
