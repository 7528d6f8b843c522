import type { Client } from '@jiaowu/api/endpoint'
import type { contract } from '@jiaowu/api/contract/contract'
import { matchesTableName } from './match-table.ts'
import type { AdoptTablesPorts } from './ports.ts'

/** The ports of all surfaces. */
export function adoptTablesApiPorts({
  design,
}: Pick<Client<typeof contract>, 'design'>): AdoptTablesPorts {
  return {
    tables: async ({ schemas, tables, match, first }, signal) => {
      if (tables !== undefined && tables.length > 0) return tables
      const queries =
        schemas === undefined || schemas.length === 0 ? [{}] : schemas.map((schema) => ({ schema }))
      const found = await Promise.all(queries.map((query) => design.tables({ query, signal })))
      return found
        .flat()
        .filter(({ tags }) => tags.length === 0)
        .map(({ schema, name }) => `${schema}.${name}`)
        .filter((table) => match === undefined || matchesTableName(table, match))
        .slice(0, first)
    },
    draft: ({ tables, together }, signal) =>
      design.draftAll({ body: { tables: [...tables], together: [...together] }, signal }),
    adopt: async ({ definitions }, signal) => {
      const body = { definitions: definitions.map((each) => ({ ...each })) }
      return (await design.adopt({ body, signal })).adopted.length
    },
  }
}
