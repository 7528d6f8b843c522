import { expect, it } from 'vitest'
import { builtIn } from '../../shipped/index.ts'
import { readDefinition } from './newer.ts'

const shipped = builtIn
const grade = shipped.find(({ tag }) => tag === 'EDU_GRADE')
if (grade === undefined) throw new Error('no grades')
const [first, second, ...others] = grade.fields

it('reads what this program knows whole', () => {
  for (const definition of shipped)
    expect(readDefinition(definition)).toEqual({ definition: expect.anything(), unknown: [] })
})

it('leaves out what a newer program has added, and reads the rest', () => {
  const newer = {
    ...grade,
    seal: true,
    options: { ...grade.options, layout: { kind: 'wide' } },
    fields: [
      { ...first, weight: 3, options: { ...first?.options, derivedAgain: 'a' } },
      second,
      ...others,
    ],
  }
  expect(readDefinition(newer)).toEqual({
    definition: readWell(grade),
    unknown: ['fields.0.options.derivedAgain', 'fields.0.weight', 'options.layout', 'seal'],
  })
})

it('leaves out a field of a kind that it does not know', () => {
  const newer = { ...grade, fields: [first, { ...second, uiType: 'hologram' }, ...others] }
  const read = readDefinition(newer)
  expect(read).toMatchObject({ unknown: ['fields.1'] })
  expect('definition' in read && read.definition.fields.length).toBe(grade.fields.length - 1)
})

it('refuses a flow that it cannot read, and what is no definition', () => {
  const withFlow = shipped.find(({ options }) => options.flow !== undefined)
  const flow = { ...withFlow?.options.flow, initial: { parallel: true } }
  expect(readDefinition({ ...withFlow, options: { ...withFlow?.options, flow } })).toHaveProperty(
    'reasons',
  )
  expect(readDefinition({ tag: 'X' })).toHaveProperty('reasons')
  expect(readDefinition(null)).toHaveProperty('reasons')
})

function readWell(stored: unknown) {
  const read = readDefinition(stored)
  return 'definition' in read ? read.definition : undefined
}
