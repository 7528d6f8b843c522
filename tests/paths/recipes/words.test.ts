import { declaredTransitions, shortEvent } from '@jiaowu/path-tests'
import { describe, expect, test } from 'vitest'
import type { AnyStateNode } from 'xstate'
import { type MachineName, models } from '../../machines/registry.ts'
import { fillWords, findEvent, sayTransition } from './say.ts'
import { words } from './words/index.ts'
import type { Words } from './words/machine-words.ts'
import { commonEndings } from './words/shared.ts'

const names = Object.keys(models) as MachineName[]

function listStateIds(node: AnyStateNode, root = node): string[] {
  return Object.values(node.states as Record<string, AnyStateNode>).flatMap((child) => [
    child.id.slice(root.id.length + 1),
    ...listStateIds(child, root),
  ])
}

/** Every sentence of a machine with the place where it stands. */
function listSentences(name: MachineName): [place: string, sentence: Words][] {
  const { name: title, place, ...tables } = words[name]
  return [
    ['name', title],
    ['place', place],
    ...Object.entries(tables).flatMap(([table, rows]) =>
      Object.entries(rows).map(([key, row]): [string, Words] => [`${table} ${key}`, row]),
    ),
  ]
}

describe.each(names)('the sentences of %s', (name) => {
  const parts = Object.values(models[name].parts)
  const own = words[name]

  test('name every state, and no other', () => {
    const [first] = parts
    expect(Object.keys(own.states).sort()).toEqual(
      listStateIds(first?.machine.root as AnyStateNode).sort(),
    )
  })

  test('say what every event, call, pause and countdown does', () => {
    for (const { machine } of parts)
      for (const [transition] of declaredTransitions(machine)) {
        const event = transition.eventType === '' ? 'always' : shortEvent(transition.eventType)
        expect(sayTransition(own, event).zh, event).not.toBe('')
      }
  })

  test('say what a person does with each sample, and how each call ends', () => {
    for (const { events, outcomes } of parts) {
      for (const [type, samples] of Object.entries(events))
        for (const sample of Object.keys(samples)) findEvent(own, type, sample)
      for (const [source, table] of Object.entries(outcomes)) {
        expect(own.calls, source).toHaveProperty([source])
        if (typeof table !== 'function')
          for (const ending of Object.keys(table))
            expect(
              own.endings?.[`${source}.${ending}`] ?? commonEndings[ending],
              `${source}.${ending}`,
            ).toBeDefined()
      }
    }
  })

  test('are in both languages, with texts that the product has, and without names of its authors', () => {
    for (const [place, sentence] of listSentences(name)) {
      const { zh, en } = fillWords(sentence)
      expect(zh, place).toMatch(/\p{Script=Han}/u)
      expect(en, place).toMatch(/[a-z]/)
      for (const text of [zh, en])
        expect(text, place).not.toMatch(/\b[a-z]+\.[a-z]+[A-Z]?\w*\(|\{\w+\}/)
    }
  })
})

test('a state, an event or an answer without a sentence is an error that names it', () => {
  expect(() => findEvent(words.reveal, 'reveal.gone', null)).toThrow('reveal.gone')
  expect(() => fillWords(['{pii.nosuch}', ''])).toThrow('pii.nosuch')
})
