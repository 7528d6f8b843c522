import type { Client, contract } from '@jiaowu/api'
import type { AdoptTablesPorts } from './ports.ts'

/** The ports of all surfaces. */
export function adoptTablesApiPorts({
  design,
}: Pick<Client<typeof contract>, 'design'>): AdoptTablesPorts {
  return {
    draft: ({ schemas, tables }, signal) =>
      design.draftAll({
        body: {
          ...(schemas !== undefined && { schemas: [...schemas] }),
          ...(tables !== undefined && { tables: [...tables] }),
        },
        signal,
      }),
    adopt: async ({ definitions }, signal) => {
      const body = { definitions: definitions.map((each) => ({ ...each })) }
      return (await design.adopt({ body, signal })).adopted.length
    },
  }
}
