import { parseJson } from '@jiaowu/api/exact-json'
import * as v from 'valibot'

/*
 * The machines of the product with their paths in words of both languages: what `machine report`
 * draws, `machine replay` repeats, and `paths.json` holds (docs/testers.en.md#pathsjson).
 */

const sentence = v.object({ zh: v.string(), en: v.string() })
export type Sentence = v.InferOutput<typeof sentence>

const screen = v.object({
  /** Sentences that the page shows. */
  see: v.array(sentence),
  /** Acts that a person can do there. */
  can: v.array(sentence),
  /** Ids of the states that the machine is in. */
  states: v.array(v.string()),
  /** Ids of the transitions that led there. */
  taken: v.array(v.string()),
})
export type BookScreen = v.InferOutput<typeof screen>

const step = v.object({
  ...screen.entries,
  kind: v.picklist(['person', 'answer', 'time']),
  do: sentence,
  /** Acts of the tester before this step, so that the failure which follows comes about. */
  prepare: v.array(sentence),
  /** The step is done while the result of an earlier one has not come. */
  hurry: v.boolean(),
})
export type BookStep = v.InferOutput<typeof step>

const path = v.object({
  id: v.string(),
  part: v.string(),
  /** The surface whose controls the recipe names. */
  surface: v.picklist(['web', 'bare']),
  start: sentence,
  /** Acts of the tester before the path, as before a step. */
  prepare: v.array(sentence),
  begin: screen,
  steps: v.array(step),
  /** The path as the walks take it (`MBT_PATH`); empty for a flow. */
  again: v.string(),
})
export type BookPath = v.InferOutput<typeof path>

const machine = v.object({
  id: v.string(),
  name: sentence,
  place: sentence,
  states: v.array(
    v.object({
      id: v.string(),
      parent: v.nullable(v.string()),
      type: v.string(),
      initial: v.boolean(),
      name: sentence,
    }),
  ),
  transitions: v.array(
    v.object({
      id: v.string(),
      from: v.string(),
      to: v.array(v.string()),
      name: sentence,
    }),
  ),
  paths: v.array(path),
})
export type BookMachine = v.InferOutput<typeof machine>

const book = v.object({ version: v.literal(1), machines: v.array(machine) })
export type PathBook = v.InferOutput<typeof book>

/** @throws ValiError for text that is no book */
export function parsePathBook(text: string): PathBook {
  return v.parse(book, parseJson(text))
}
