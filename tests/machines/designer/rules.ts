import type { DesignerContext } from '@jiaowu/machines/designer/types'
import type { Rule } from '@jiaowu/path-tests'

type Place = Parameters<Extract<Rule, { kind: 'state' }>['holds']>[0]
const readDesignContext = ({ snapshot }: Place) => snapshot.context as DesignerContext
const isIn = ({ snapshot }: Place, state: string | object) => snapshot.matches(state as never)
const work = (state: string | object) => ({ open: { work: state } })
const formatDraft = (node: Place) => JSON.stringify(readDesignContext(node).draft)

/** Promises of the designer (docs/spec/2-student-service-and-designer.md §4, §5). */
export const designerRules: readonly Rule[] = [
  {
    name: 'a column stands behind one field at most',
    kind: 'state',
    holds: (node) => new Set(listDraftColumns(node)).size === listDraftColumns(node).length,
  },
  {
    name: 'single and multiple selection are never both on',
    kind: 'state',
    holds: (node) =>
      !(
        readDesignContext(node).draft.options.singleSelect &&
        readDesignContext(node).draft.options.multiSelect
      ),
  },
  {
    name: 'what is new has a negative id of its own',
    kind: 'state',
    holds: (node) => {
      const { draft, saved } = readDesignContext(node)
      const known = new Set((saved?.fields ?? []).map(({ id }) => id))
      const ids = draft.fields.map(({ id }) => id)
      return (
        new Set(ids).size === ids.length &&
        ids.every(
          (id) =>
            known.has(id) ||
            Number(id) < 0 ||
            saved === null ||
            isIn(node, work('stale')) ||
            readDesignContext(node).past.length > 0,
        )
      )
    },
  },
  {
    name: 'the selected field is there',
    kind: 'state',
    holds: (node) => {
      const { selected, draft } = readDesignContext(node)
      return selected === null || draft.fields.some(({ id }) => id === selected)
    },
  },
  {
    name: 'clean is exactly what was saved',
    kind: 'state',
    holds: (node) =>
      !isIn(node, work({ editing: 'clean' })) ||
      readDesignContext(node).draft === readDesignContext(node).saved,
  },
  {
    name: 'unsaved work is left only after a yes',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      !(isIn(to, 'left') && from.snapshot.hasTag('unsaved')) || step.label === 'leave.confirm',
  },
  {
    name: 'nothing with errors is sent',
    kind: 'edge',
    holds: ({ effects }, _from, to) =>
      !saves(effects) ||
      !(readDesignContext(to).check?.findings ?? []).some(({ severity }) => severity === 'error'),
  },
  {
    name: 'a definition is checked right before it is sent, and what breaks is agreed to',
    kind: 'edge',
    holds: ({ effects, step }, from) =>
      !saves(effects) ||
      (isIn(from, work('reviewing')) &&
        !(step.kind === 'settle' && step.label.endsWith('breaking'))) ||
      step.label === 'impact.accept',
  },
  {
    name: 'it is sent over the version that was read',
    kind: 'edge',
    holds: ({ effects }, _from, to) =>
      !saves(effects) ||
      effects.some((effect) =>
        effect.includes(`"version":${String(readDesignContext(to).stored?.version ?? null)}`),
      ),
  },
  {
    name: 'a refusal loses nothing',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      !(
        step.kind === 'settle' &&
        ['saveDesign', 'checkDesign'].includes(step.source) &&
        !step.outcome.ok
      ) || formatDraft(from) === formatDraft(to),
  },
  {
    name: 'asking, looking and cancelling change nothing',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      !/^(preview\.|json\.(open|change|format|cancel)|impact\.cancel|leave\.cancel|stale\.(choose|cancel)|design\.save|field\.select|entity\.select)/.test(
        step.label,
      ) || formatDraft(from) === formatDraft(to),
  },
  {
    name: 'undo and redo are each other’s inverse',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      step.label !== 'history.undo' ||
      from.snapshot.context === to.snapshot.context ||
      readDesignContext(to).future[0] === readDesignContext(from).draft,
  },
  {
    name: 'what somebody else saved is overwritten only by choice',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      !(isIn(from, work('stale')) && isIn(to, work('reviewing'))) || step.label === 'stale.save',
  },
  {
    name: 'a choice is open exactly while the versions differ',
    kind: 'state',
    holds: (node) => isIn(node, work('stale')) === (readDesignContext(node).stale !== null),
  },
  {
    name: 'the JSON editor holds text exactly while it is open',
    kind: 'state',
    holds: (node) =>
      isIn(node, { open: { view: 'json' } }) === (readDesignContext(node).json !== null),
  },
  {
    name: 'saved is emitted once',
    kind: 'edge',
    holds: ({ effects, step }) =>
      effects.some((effect) => effect.startsWith('emit {"type":"saved"')) ===
      (step.kind === 'settle' && step.source === 'saveDesign' && step.outcome.ok),
  },
  {
    name: 'faults are pointed to when they stop a save',
    kind: 'edge',
    holds: ({ effects, step }, from) =>
      effects.some((effect) => effect.startsWith('emit {"type":"invalid"')) ===
      (isIn(from, work('reviewing')) && step.kind === 'settle' && /(wrong|both)$/.test(step.label)),
  },
  {
    name: 'from everywhere a person gets back to editing, or away',
    kind: 'reach',
    to: (node) => isIn(node, 'left') || isIn(node, work('editing')),
  },
]

function listDraftColumns(node: Place) {
  return readDesignContext(node)
    .draft.fields.filter(({ columnType }) => columnType !== 'jsonb')
    .flatMap(({ columnName }) => (columnName === null ? [] : [columnName]))
}

function saves(effects: readonly string[]) {
  return effects.some((effect) => effect.startsWith('call saveDesign '))
}
