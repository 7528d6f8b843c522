import type { EntityFormContext } from '@jiaowu/machines/entity-form/context'
import type { Rule } from '@jiaowu/path-tests'

type Place = Parameters<Extract<Rule, { kind: 'state' }>['holds']>[0]
const readFormContext = ({ snapshot }: Place) => snapshot.context as EntityFormContext
const isIn = ({ snapshot }: Place, state: string | object) => snapshot.matches(state as never)
const isEqualJson = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** Promises of a form (docs/spec/1-entity-console.md §4, §5). */
export const entityFormRules: readonly Rule[] = [
  {
    name: 'a form with changes is left only after a yes',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      !(
        isIn(to, 'left') &&
        from.snapshot.hasTag('editing') &&
        !isIn(from, { editing: 'pristine' })
      ) || step.label === 'leave.confirm',
  },
  {
    name: 'a refused save loses nothing',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      !(step.kind === 'settle' && step.source === 'saveRow' && !step.outcome.ok) ||
      isIn(to, 'saved') ||
      isIn(to, 'loading') ||
      isEqualJson(readFormContext(from).values, readFormContext(to).values),
  },
  {
    name: 'after a lost answer the same values are sent again before any others',
    kind: 'edge',
    holds: ({ effects }, _from, to) => {
      const { sent, row } = readFormContext(to)
      return (
        !saves(effects) ||
        sent === null ||
        (row === null && effects.some((effect) => effect.includes(JSON.stringify(sent.name))))
      )
    },
  },
  {
    name: 'what was typed after a lost answer is saved as an edit of the row that was made',
    kind: 'edge',
    holds: ({ step, effects }, from, to) => {
      if (step.kind !== 'settle' || step.source !== 'saveRow' || !hasTypedSince(from)) return true
      if (step.outcome.ok)
        return (
          isIn(to, 'saving') &&
          readFormContext(to).sent === null &&
          saves(effects) &&
          effects.some((effect) => effect.includes('"id":"1"') && effect.includes('"version":9'))
        )
      return step.label.includes('invalid')
        ? isIn(to, 'saving') && readFormContext(to).sent === null && saves(effects)
        : isIn(to, 'editing') && readFormContext(to).sent !== null
    },
  },
  {
    name: 'a lost answer to a create is remembered, until the values turn out invalid',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      step.kind !== 'settle' ||
      step.source !== 'saveRow' ||
      step.outcome.ok ||
      isIn(to, 'loading') ||
      hasTypedSince(from) ||
      readFormContext(from).row !== null ||
      (readFormContext(to).sent !== null) ===
        (step.label.includes('lost') || readFormContext(from).sent !== null),
  },
  {
    name: 'staying loses nothing',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      !/^(leave|stale)\.cancel/.test(step.label) ||
      isEqualJson(readFormContext(from).values, readFormContext(to).values),
  },
  {
    name: 'nothing invalid is sent',
    kind: 'edge',
    holds: ({ effects }, _from, to) =>
      !saves(effects) ||
      (Object.keys(readFormContext(to).faults).length === 0 &&
        ![null, ''].includes(readFormContext(to).values.name as string | null)),
  },
  {
    name: 'an invalid field shows its fault, and the first one is announced',
    kind: 'edge',
    holds: ({ step, effects }, from, to) =>
      !(
        step.label === 'form.submit' &&
        isIn(from, 'editing') &&
        !isIn(from, { editing: 'leaving' }) &&
        !saves(effects)
      ) ||
      (Object.keys(readFormContext(to).faults).length > 0 &&
        effects.some((effect) => effect.startsWith('emit {"type":"invalid"'))),
  },
  {
    name: 'an existing record is saved with the version that was read',
    kind: 'edge',
    holds: ({ effects }, _from, to) =>
      !saves(effects) ||
      readFormContext(to).input.id === null ||
      effects.some((effect) =>
        effect.includes(`"version":${String(readFormContext(to).row?.version)}`),
      ),
  },
  {
    name: 'what somebody else saved is overwritten only by choice',
    kind: 'edge',
    holds: ({ effects, step }, from) =>
      !(isIn(from, 'stale') && saves(effects)) || step.label === 'stale.save',
  },
  {
    name: 'a choice is open exactly while the versions differ',
    kind: 'state',
    holds: (node) => isIn(node, 'stale') === (readFormContext(node).stale !== null),
  },
  {
    name: 'a new parent clears the cascade child',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      !step.label.startsWith('field.change(faculty') ||
      isEqualJson(readFormContext(from).values, readFormContext(to).values) ||
      isEqualJson(readFormContext(to).values.major, []),
  },
  {
    name: 'who only looks changes nothing',
    kind: 'state',
    holds: (node) =>
      readFormContext(node).input.viewOnly !== true ||
      (!node.snapshot.hasTag('editing') &&
        isEqualJson(readFormContext(node).values, readFormContext(node).original)),
  },
  {
    name: 'saved is emitted once, with its message',
    kind: 'edge',
    holds: ({ effects }, from, to) =>
      ((isIn(to, 'saved') && !isIn(from, 'saved')) ||
        (isIn(to, 'loading') && isIn(from, 'saving'))) ===
      effects.some((effect) => /^emit \{"type":"saved".*form\.(added|modified)/.test(effect)),
  },
  {
    name: 'another record follows only where that was asked for, as a new one',
    kind: 'edge',
    holds: (_step, from, to) => {
      if (!(isIn(from, 'saving') && isIn(to, 'loading'))) return true
      const { row, newId, sent, copied, input } = readFormContext(to)
      return (
        readFormContext(from).next &&
        isEqualJson(
          [row, newId, sent, copied, input.copyOf ?? null],
          [null, null, null, null, null],
        )
      )
    },
  },
  {
    name: 'a pinned value is the one of the next new record',
    kind: 'edge',
    holds: (_step, from, to) => {
      const { pins, values } = readFormContext(to)
      return (
        !(isIn(from, 'loading') && isIn(to, 'editing')) ||
        Object.entries(pins).every(([name, value]) => isEqualJson(values[name], value))
      )
    },
  },
  {
    name: 'a pin keeps what was saved last, and is told to be kept',
    kind: 'edge',
    holds: ({ effects }, from, to) => {
      const { pins } = readFormContext(from)
      const isStored = isIn(from, 'saving') && (isIn(to, 'saved') || isIn(to, 'loading'))
      return (
        !isStored ||
        Object.keys(pins).length === 0 ||
        (isEqualJson(readFormContext(to).pins['name'], readFormContext(from).values['name']) &&
          effects.some((effect) => effect.startsWith('emit {"type":"pinned"')))
      )
    },
  },
  {
    name: 'a copy begins with the values of its record, and stores nothing',
    kind: 'edge',
    holds: ({ effects }, from, to) => {
      const { copied, values, pins, row } = readFormContext(to)
      return (
        !(isIn(from, 'loading') && isIn(to, 'editing')) ||
        copied === null ||
        (row === null &&
          !saves(effects) &&
          isEqualJson(values['faculty'], copied['faculty']) &&
          (pins['name'] !== undefined || values['name'] === copied['name']))
      )
    },
  },
  {
    name: 'from everywhere the form can be left or saved',
    kind: 'reach',
    to: (node) => isIn(node, 'left') || isIn(node, 'saved'),
  },
]

/** Changed since the answer of a create was lost. */
function hasTypedSince(place: Place): boolean {
  const { sent, values } = readFormContext(place)
  return sent !== null && !isEqualJson(sent, values)
}

function saves(effects: readonly string[]) {
  return effects.some((effect) => effect.startsWith('call saveRow '))
}
