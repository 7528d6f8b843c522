import { type GridContext, openLines, type PasteRow, type RowSave } from '@jiaowu/machines'
import type { Rule } from '@jiaowu/path-tests'

type World = Parameters<Extract<Rule, { kind: 'state' }>['holds']>[0]
const contextOf = ({ snapshot }: World) => snapshot.context as GridContext
const isIn = ({ snapshot }: World, value: unknown) => snapshot.matches(value as never)

/** What editing a list as a spreadsheet promises (docs/decisions/0002-html-table.md). */
export const gridEditRules: readonly Rule[] = [
  {
    name: 'a stored row is written with the version it was read with',
    kind: 'edge',
    holds: ({ effects }, from, to) =>
      inputsOf<{ readonly rows: readonly RowSave[] }>(effects, 'saveRows').every(({ rows }) =>
        rows.every(
          ({ id, key, version, expects }) =>
            id === null ||
            expects !== null ||
            version === (contextOf(to).edits[key] ?? contextOf(from).edits[key])?.base?.version,
        ),
      ),
  },
  {
    name: 'a cell that is refused, and one that somebody else changed, is not sent',
    kind: 'edge',
    holds: ({ effects }, from) =>
      inputsOf<{ readonly rows: readonly RowSave[] }>(effects, 'saveRows').every(({ rows }) =>
        rows.every(({ key, values }) => {
          const edit = contextOf(from).edits[key]
          return Object.keys(values).every(
            (name) => edit?.faults[name] === undefined || edit.sent === null,
          )
        }),
      ),
  },
  {
    name: 'what was typed is kept until it is stored or given up',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      step.kind !== 'settle' ||
      /^saveRows → (?:saved|done|apart)/.test(step.label) ||
      step.label.startsWith('writePaste') ||
      step.label.startsWith('revertRows') ||
      Object.entries(contextOf(from).edits).every(([key, { values, base }]) =>
        Object.entries(values).every(
          ([name, value]) =>
            value === base?.[name] ||
            value === storedIn(to, key)?.[name] ||
            contextOf(to).edits[key]?.values[name] === value,
        ),
      ),
  },
  {
    name: 'the first letter of an input method is typed into the cell',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      step.label !== 'compose.start' ||
      !isIn(from, { table: { ready: 'selecting' } }) ||
      contextOf(to).edit?.value ===
        (isIn(to, { table: { ready: { editing: 'composing' } } }) ? '' : undefined),
  },
  {
    name: 'keys of an input method end no edit',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      !isIn(from, { table: { ready: { editing: 'composing' } } }) ||
      !(step.label.startsWith('edit.commit') || step.label === 'edit.cancel') ||
      isIn(to, { table: { ready: { editing: 'composing' } } }),
  },
  {
    name: 'many rows are written only when their preview was confirmed',
    kind: 'edge',
    holds: ({ step, effects }) =>
      inputsOf(effects, 'writePaste').length === 0 || step.label === 'paste.confirm',
  },
  {
    name: 'nothing of a block is checked while a line has to be decided on',
    kind: 'edge',
    holds: ({ effects }, _from, to) =>
      inputsOf(effects, 'checkPaste').length === 0 || openLines(contextOf(to)).length === 0,
  },
  {
    name: 'a line is sent for the row that it names, and a line that is left out for none',
    kind: 'edge',
    holds: ({ effects }, _from, to) => {
      const { match, settled } = contextOf(to)
      return inputsOf<{ readonly rows: readonly PasteRow[] }>(effects, 'checkPaste').every(
        ({ rows }) =>
          match?.by == null ||
          rows.every(({ id, values }) =>
            match.lines.some(
              ({ line, row, key }) =>
                settled[line] !== 'left' &&
                (id === null ? values.name === key : row?.id === id && row?.name === key),
            ),
          ),
      )
    },
  },
  {
    name: 'a written paste is one step of undo',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      step.label !== 'writePaste → written' ||
      contextOf(to).history.undo.length === contextOf(from).history.undo.length + 1,
  },
  {
    name: 'the selection is inside the grid',
    kind: 'state',
    holds: (node) => {
      const { selection, total, added, columns } = contextOf(node)
      const rows = (total ?? 0) + added.length
      return [selection.anchor, selection.focus].every(
        ({ row, col }) => row >= 0 && col >= 0 && row < Math.max(1, rows) && col <= columns.length,
      )
    },
  },
  {
    name: 'a conflict is shown until it is decided',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      Object.entries(contextOf(from).edits).every(
        ([key, { theirs }]) =>
          theirs === null ||
          (contextOf(to).edits[key]?.theirs ?? null) !== null ||
          step.label.startsWith('stale.take') ||
          step.label === 'row.revert' ||
          // Undone to what somebody else stored: nothing is left that could be in conflict.
          (step.label.startsWith('history.') && contextOf(to).edits[key] === undefined),
      ),
  },
]

function storedIn(world: World, id: string) {
  return Object.values(contextOf(world).blocks)
    .flat()
    .find((row) => row.id === id)
}

function inputsOf<T>(effects: readonly string[], port: string): T[] {
  return effects
    .filter((effect) => effect.startsWith(`call ${port} `))
    .map((effect) => JSON.parse(effect.slice(`call ${port} `.length)) as T)
}
