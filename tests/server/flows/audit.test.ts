// A decision writes its audit line in the transaction of the row, its case and its effects (docs/rules/security.md#l1).
import { schoolDay } from '@jiaowu/api/formats'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { refuseUnaudited } from '../audit/audit-trigger.ts'
import { createFlowSchool, type FlowSchool, tag } from './flow-school.ts'

let school: FlowSchool
beforeAll(async () => {
  school = await createFlowSchool()
  await refuseUnaudited(school.app.services.database.kysely)
})
afterAll(() => school.app.close())

it('is written by one decision, by several at once, and by their effects', async () => {
  const { teacher, secretary, office, make, gradeOf } = school
  const ids = [await make(teacher), await make(teacher)]
  const readVersion = async (id: string) =>
    (await teacher.flow.read({ params: { tag, id } })).version
  for (const id of ids)
    await teacher.flow.send({
      params: { tag, id, event: 'SUBMIT' },
      body: { version: await readVersion(id) },
    })
  for (const by of [secretary, office]) {
    const items = await Promise.all(
      ids.map(async (id) => ({ tag, id, event: 'APPROVE', version: await readVersion(id) })),
    )
    const { results } = await by.flow.decide({ body: { items } })
    expect(results).toHaveLength(2)
  }
  expect(await Promise.all(ids.map(gradeOf))).toEqual(['91', '91'])
})

it('is written by tasks that are handed over and shared, by copies and by substitutes', async () => {
  const { teacher, secretary, helper, make, idOf } = school
  const id = await make(teacher)
  const readVersion = async () => (await teacher.flow.read({ params: { tag, id } })).version
  await teacher.flow.send({
    params: { tag, id, event: 'SUBMIT' },
    body: { version: await readVersion() },
  })
  const task = async () => ({ tag, id, version: await readVersion() })
  await secretary.flow.add({ body: { ...(await task()), way: 'after', role: 'OFFICE' } })
  await secretary.flow.copy({ body: { tag, id, to: [idOf('outsider')] } })
  await secretary.flow.transfer({ body: { ...(await task()), to: idOf('helper'), note: '出差' } })
  const day = schoolDay(new Date())
  const { given } = await helper.flow.delegate({
    body: { to: idOf('secretary'), from: day, until: day },
  })
  await helper.flow.endDelegation({ params: { id: given[0]?.id ?? '' } })
  expect((await helper.flow.delegations({})).given).toEqual([])
})
