import { coverTransitions, stepId } from '@jiaowu/path-tests'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { createSignInModel } from './sign-in/model.ts'
import signInSamples from './sign-in/samples.json' with { type: 'json' }
import { readSampleFile } from './sample-file.ts'
import { explore } from './spec.ts'

const schemas = { 'lamp.press': v.strictObject({ times: v.number() }) }
const say = { zh: '按', en: 'Press' }

describe('a file of samples', () => {
  test('gives the data of each sample', () => {
    const file = { 'lamp.press': { twice: { data: { times: 2 }, say } } }
    expect(readSampleFile('lamp.json', file, schemas)).toEqual({
      'lamp.press': { twice: { times: 2 } },
    })
  })

  test.each([
    [
      'data of another kind',
      { 'lamp.press': { twice: { data: { times: 'two' }, say } } },
      'lamp.press → twice → data → times: ',
    ],
    [
      'a sample without a sentence',
      { 'lamp.press': { twice: { data: { times: 2 } } } },
      'lamp.press → twice → say: ',
    ],
    [
      'an event that the machine does not have',
      { 'lamp.press': { once: { data: { times: 1 }, say } }, 'lamp.kick': {} },
      'lamp.kick: ',
    ],
    ['an event without a sample', { 'lamp.press': {} }, 'an event needs a sample'],
    [
      'a name with other signs',
      { 'lamp.press': { 'two times': { data: { times: 2 }, say } } },
      'letters and digits',
    ],
  ])('refuses %s and names the place', (_what, file, place) => {
    expect(() => readSampleFile('lamp.json', file, schemas)).toThrow(place)
    expect(() => readSampleFile('lamp.json', file, schemas)).toThrow('lamp.json')
  })
})

test('a value that a tester adds to the file is on paths of its own', () => {
  const extra = {
    data: { field: 'mobile', value: '+86 13800000001' },
    say: { zh: '填带国际区号的手机号', en: 'Type a mobile with its country code' },
  }
  const added = {
    'field.change': { ...signInSamples['field.change'], country: extra },
  }
  const [before, after] = [signInSamples, added].map((file) => {
    const graph = explore(createSignInModel(file), 600)
    const steps = coverTransitions(graph).paths.flatMap(({ steps: each }) => each)
    const all = graph.edges.map(({ step }) => stepId(step))
    return {
      states: graph.nodes.length,
      edges: graph.edges.length,
      own: all.filter((id) => id === 'user:field.change(country)').length,
      steps: steps.length,
    }
  })
  expect(before?.own).toBe(0)
  expect(after?.own).toBeGreaterThan(0)
  expect(after?.states).toBeGreaterThan(before?.states ?? Infinity)
  expect(after?.edges).toBeGreaterThan(before?.edges ?? Infinity)
})
