import type { Client } from '@jiaowu/api/endpoint'
import type { contract } from '@jiaowu/api/contract/contract'
import { planSheet } from '@jiaowu/api/entity/definition/sheet'
import { toSheet } from '../../support/imports.ts'

type Scene = { readonly admin: Client<typeof contract> }
const hobby = { columnName: 'x_hobby', label: '爱好', kind: 'text' as const }

/** Calls on sheets that become tables, and on tables that designers change. */
export const sheetCalls = {
  'design.proposeSheet': 'reads',
  'design.adoptSheet': async ({ admin }: Scene) => {
    const file = await toSheet([
      ['编号', '名称'],
      ['AUD1', '甲'],
      ['AUD2', '乙'],
    ])
    const plan = JSON.stringify(planSheet(await admin.design.proposeSheet({ body: { file } })))
    return admin.design.adoptSheet({ body: { file, plan } })
  },
  'design.changeTable': ({ admin }: Scene) =>
    admin.design.changeTable({
      params: { tag: 'EDU_MAJOR' },
      body: { preview: false, change: { act: 'add', columns: [hobby] } },
    }),
  'design.makeTable': ({ admin }: Scene) =>
    admin.design.makeTable({
      body: {
        preview: false,
        plan: { name: '空表', tag: 'AUD_EMPTY', table: 'aud_empty', columns: [hobby] },
      },
    }),
  'design.supplyColumns': ({ admin }: Scene) =>
    admin.design.supplyColumns({
      body: {
        preview: false,
        definition: {
          tag: 'AUD_SUPPLY',
          name: '补表',
          schemaName: 'form',
          tableName: 'aud_supply',
          fields: [
            {
              id: '1',
              attrName: 'hobby',
              uiLabel: '爱好',
              columnName: 'hobby',
              columnType: 'text',
            },
          ],
        },
      },
    }),
} as const
