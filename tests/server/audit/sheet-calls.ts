import type { Client } from '@jiaowu/api/endpoint'
import type { contract } from '@jiaowu/api/contract/contract'
import { planSheet } from '@jiaowu/api/entity/definition/sheet'
import { toSheet } from '../../support/imports.ts'

/** Calls on sheets that become tables. */
export const sheetCalls = {
  'design.proposeSheet': 'reads',
  'design.adoptSheet': async ({ admin }: { readonly admin: Client<typeof contract> }) => {
    const file = await toSheet([
      ['编号', '名称'],
      ['AUD1', '甲'],
      ['AUD2', '乙'],
    ])
    const plan = JSON.stringify(planSheet(await admin.design.proposeSheet({ body: { file } })))
    return admin.design.adoptSheet({ body: { file, plan } })
  },
} as const
