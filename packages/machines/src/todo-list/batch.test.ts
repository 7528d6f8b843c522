import type { FlowTodo } from '@jiaowu/api/contract/entity/flow'
import { expect, it } from 'vitest'
import { listCommonOffers } from './batch.ts'

type Offer = FlowTodo['can'][number]
const offer = (
  event: string,
  name: string,
  note: Offer['note'] = null,
  ask: Offer['ask'] = [],
) => ({
  event,
  name,
  note,
  ask,
})
const list = (...rows: readonly (readonly Offer[])[]) =>
  listCommonOffers(rows.map((can) => ({ can: [...can] }) as unknown as FlowTodo))

it('offers what all cases take, with every name, and the strictest note', () => {
  const agree = offer('APPROVE', '同意', 'optional')
  expect(list([agree, offer('REJECT', '驳回')], [offer('APPROVE', '批准', 'required')])).toEqual([
    { event: 'APPROVE', name: '同意 / 批准', ask: [], note: 'required' },
  ])
  expect(list([agree], [offer('APPROVE', '同意')])).toEqual([agree])
  expect(list([agree], [offer('REJECT', '驳回')])).toEqual([])
})

it('offers nothing for no case, and no decision that asks for a field', () => {
  expect(list()).toEqual([])
  const fields = [{ attrName: 'score', required: true }]
  expect(list([offer('APPROVE', '同意', null, fields)])).toEqual([])
  const optional = [{ attrName: 'score', required: false }]
  expect(list([offer('APPROVE', '同意', null, optional)])).toEqual([offer('APPROVE', '同意')])
})
