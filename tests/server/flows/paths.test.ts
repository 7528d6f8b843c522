// Every path of the flow on the real server: after each step it offers each person what the machine offers them.
import { applicantId } from '@jiaowu/machines/flow/explore'
import { compileFlow, listOffers, readStateKey } from '@jiaowu/machines/flow/flow'
import { listFlowPaths } from '@jiaowu/machines/flow/paths'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Api, buildFlow, createFlowSchool, type FlowSchool, tag } from './flow-school.ts'

const flow = buildFlow()
const paths = listFlowPaths(flow)
const secretary = 'role SECRETARY within row.faculty'
const office = 'role OFFICE'

let school: FlowSchool
beforeAll(async () => {
  school = await createFlowSchool()
})
afterAll(() => school.app.close())

/** The people of the paths, those who see the row besides, and the terms that each meets. */
function listPersons(): readonly {
  readonly id: string
  readonly by: Api
  readonly terms: readonly string[]
}[] {
  return [
    { id: applicantId, by: school.teacher, terms: [] },
    { id: `${secretary}#1`, by: school.secretary, terms: [secretary] },
    { id: `${office}#1`, by: school.office, terms: [office] },
    { id: 'stranger', by: school.stranger, terms: [] },
    { id: 'everything', by: school.everything, terms: [secretary, office] },
  ]
}

it(`offers and does what the machine does, on all ${String(paths.length)} paths`, async () => {
  const compiled = compileFlow(flow)
  const persons = listPersons()
  for (const path of paths) {
    const id = await school.make(school.teacher)
    for (const { by, part, before, after } of path.moves) {
      const sender = persons.find((person) => person.id === by?.id)
      if (sender === undefined) throw new Error(`nobody is ${String(by?.id)}`)
      for (const person of persons) {
        const { can } = await person.by.flow.read({ params: { tag, id } })
        expect(can.map(({ event }) => event).toSorted()).toEqual(
          listOffers(compiled, before, person, path.row)
            .map(({ name }) => name)
            .toSorted(),
        )
      }
      const { version } = await sender.by.flow.read({ params: { tag, id } })
      const answer = await sender.by.flow.send({
        params: { tag, id, event: part.key },
        body: { version, ...(part.event?.note === 'required' && { note: '理由' }) },
      })
      expect([answer.state, answer.isDone]).toEqual([readStateKey(after), after.isDone])
      const row = await school.admin.entityData.get({ params: { tag, id } })
      expect(row['state']).toBe(readStateKey(after))
    }
  }
})
