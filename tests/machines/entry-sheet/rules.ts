import type { EntryContext } from '@jiaowu/machines/entry-sheet/machine'
import type { Rule } from '@jiaowu/path-tests'

type Worlds = Parameters<Extract<Rule, { kind: 'state' }>['holds']>[0]
const readEntryContext = ({ snapshot }: Worlds) => snapshot.context as EntryContext
function isIn({ snapshot }: Worlds, ...states: readonly (string | object)[]) {
  return states.some((state) => snapshot.matches(state as never))
}
const isAskingEntry = (node: Worlds) =>
  isIn(
    node,
    { shown: 'asking' },
    { shown: 'explaining' },
    { shown: 'unlocking' },
    { shown: 'adding' },
  )

/** Promises of entry sheets (docs/rules/contract.md#entry-sheets). */
export const entryRules: readonly Rule[] = [
  {
    name: 'only the sheet that is chosen is read',
    kind: 'edge',
    holds: ({ effects }, _from, to) =>
      !effects.some((effect) => effect.startsWith('call readEntry')) ||
      (readEntryContext(to).by !== null &&
        effects.some((effect) => effect.includes('{"tag":"A","by":{"course":"1","term":"2"}}'))),
  },
  {
    name: 'a sheet is submitted once it was asked for, with the number that was shown and nothing unsaved',
    kind: 'edge',
    holds: ({ step, effects }, from) =>
      !effects.some((effect) => effect.startsWith('call submitEntry')) ||
      (step.label === 'submit.confirm' &&
        !readEntryContext(from).isDirty &&
        readEntryContext(from).state?.can.submit === true &&
        effects.some((effect) => effect.includes('"entered":38'))),
  },
  {
    name: 'a sheet is unlocked with a reason of four characters, by those with the right',
    kind: 'edge',
    holds: ({ step, effects }, from) =>
      !effects.some((effect) => effect.startsWith('call unlockEntry')) ||
      (step.label === 'unlock.confirm' &&
        readEntryContext(from).state?.can.unlock === true &&
        effects.some((effect) => effect.includes('"reason":"登记有误"'))),
  },
  {
    name: 'a reason that is too short is named',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      step.label !== 'unlock.confirm' ||
      !isIn(from, { shown: 'explaining' }) ||
      readEntryContext(from).reason === '登记有误 ' ||
      readEntryContext(to).fault?.key === 'entry.reasonShort',
  },
  {
    name: 'what was submitted is locked, what was unlocked is open, and both are said',
    kind: 'edge',
    holds: ({ step, effects }, _from, to) =>
      (step.label !== 'submitEntry → locked' ||
        (readEntryContext(to).state?.locked !== null &&
          effects.some((effect) => effect.includes('entry.submitted')))) &&
      (step.label !== 'unlockEntry → open' ||
        (readEntryContext(to).state?.locked === null &&
          effects.some((effect) => effect.includes('entry.unlocked')))),
  },
  {
    name: 'a sheet that changed meanwhile is read again with the reason shown, other refusals ask again',
    kind: 'edge',
    holds: ({ step }, _from, to) =>
      (!step.label.endsWith('Entry → conflict') ||
        (isIn(to, { shown: 'refreshing' }) && readEntryContext(to).problem?.code === 409)) &&
      (step.label !== 'submitEntry → forbidden' ||
        (isIn(to, { shown: 'asking' }) && readEntryContext(to).problem?.code === 403)) &&
      (step.label !== 'unlockEntry → forbidden' ||
        (isIn(to, { shown: 'explaining' }) && readEntryContext(to).problem?.code === 403)),
  },
  {
    name: 'a question begins without what was typed or refused before',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      !['submit.ask', 'unlock.ask', 'add.ask'].includes(step.label) ||
      !isIn(from, { shown: 'idle' }) ||
      !isAskingEntry(to) ||
      JSON.stringify([
        readEntryContext(to).reason,
        readEntryContext(to).fault,
        readEntryContext(to).problem,
      ]) === '["",null,null]',
  },
  {
    name: 'rows are added for values that were chosen, by those with the right, and with nothing unsaved',
    kind: 'edge',
    holds: ({ step, effects }, from) =>
      !effects.some((effect) => effect.startsWith('call addRows')) ||
      (step.label === 'add.confirm' &&
        !readEntryContext(from).isDirty &&
        readEntryContext(from).state?.can.add === true &&
        effects.some((effect) => effect.includes('"from":{"class":"1班"}'))),
  },
  {
    name: 'after an addition the sheet is read again, with what was refused',
    kind: 'edge',
    holds: ({ step, effects }, _from, to) =>
      !/^addRows → (all|part)$/.test(step.label) ||
      (isIn(to, 'reading') &&
        readEntryContext(to).state === null &&
        (readEntryContext(to).refused?.refusals ?? 0) === (step.label.endsWith('part') ? 1 : 0) &&
        effects.some((effect) => effect.includes('entry.added'))),
  },
  {
    name: 'an addition that was left or refused adds nothing unseen',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      (step.label !== 'addRows → tooMany' ||
        (isIn(to, { shown: 'adding' }) && readEntryContext(to).problem?.code === 409)) &&
      (step.label !== 'ask.cancel' ||
        !isIn(from, { shown: 'growing' }) ||
        (isIn(to, 'reading') && readEntryContext(to).state === null)),
  },
  {
    name: 'another sheet begins afresh',
    kind: 'edge',
    holds: ({ step }, _from, to) =>
      !step.label.startsWith('entry.choose') ||
      JSON.stringify([
        readEntryContext(to).state,
        readEntryContext(to).isDirty,
        readEntryContext(to).reason,
        readEntryContext(to).problem,
      ]) === '[null,false,"",null]',
  },
  {
    name: 'a count that cannot be read again leaves the sheet open',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      step.label !== 'readEntry → broken' ||
      isIn(to, isIn(from, 'reading') ? 'failed' : { shown: 'idle' }),
  },
  {
    name: 'from everywhere a sheet can be chosen and read',
    kind: 'reach',
    to: (node) => isIn(node, { shown: 'idle' }),
  },
]
