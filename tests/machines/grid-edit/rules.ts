import type { GridContext, PasteRow } from '@jiaowu/machines/grid-edit/context'
import { keptEdits } from '@jiaowu/machines/grid-edit/unsaved/kept'
import { openLines } from '@jiaowu/machines/grid-edit/matching/draft'
import type { RowSave } from '@jiaowu/machines/grid-edit/ports'
import type { Rule } from '@jiaowu/path-tests'

type World = Parameters<Extract<Rule, { kind: 'state' }>['holds']>[0]
const readGridContext = ({ snapshot }: World) => snapshot.context as GridContext
const isIn = ({ snapshot }: World, value: unknown) => snapshot.matches(value as never)

/** Promises of editing a list as a spreadsheet (docs/decisions/0002-html-table.md). */
export const gridEditRules: readonly Rule[] = [
  {
    name: 'a stored row is written with the version it was read with',
    kind: 'edge',
    holds: ({ effects }, from, to) =>
      parseGridInputs<{ readonly rows: readonly RowSave[] }>(effects, 'saveRows').every(
        ({ rows }) =>
          rows.every(
            ({ id, key, version, expects }) =>
              id === null ||
              expects !== null ||
              version ===
                (readGridContext(to).edits[key] ?? readGridContext(from).edits[key])?.base?.version,
          ),
      ),
  },
  {
    name: 'a cell that is refused, and one that somebody else changed, is not sent',
    kind: 'edge',
    holds: ({ effects }, from) =>
      parseGridInputs<{ readonly rows: readonly RowSave[] }>(effects, 'saveRows').every(
        ({ rows }) =>
          rows.every(({ key, values }) => {
            const edit = readGridContext(from).edits[key]
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
      (step.kind !== 'settle' &&
        !step.label.startsWith('grid.leave') &&
        !step.label.startsWith('leave.stay') &&
        !step.label.startsWith('unsaved.show')) ||
      /^saveRows → (?:saved|done|apart)/.test(step.label) ||
      step.label.startsWith('writePaste') ||
      step.label.startsWith('revertRows') ||
      Object.entries(readGridContext(from).edits).every(([key, { values, base }]) =>
        Object.entries(values).every(
          ([name, value]) =>
            value === base?.[name] ||
            value === storedIn(to, key)?.[name] ||
            readGridContext(to).edits[key]?.values[name] === value,
        ),
      ),
  },
  {
    name: 'the grid is left only when everything is stored, or when the user gave it up',
    kind: 'edge',
    holds: ({ step, effects }, from, to) =>
      !effects.some((effect) => effect === 'emit {"type":"left"}') ||
      step.label === 'leave.discard' ||
      (unsavedIn(to).length === 0 && (step.kind === 'settle' || unsavedIn(from).length === 0)),
  },
  {
    name: 'leaving asks about what cannot be stored now, and drops nothing by itself',
    kind: 'state',
    holds: (node) =>
      !isIn(node, { table: { ready: { leaving: 'asking' } } }) || unsavedIn(node).length > 0,
  },
  {
    name: 'what is unsaved can be kept over a reload, and is all of it',
    kind: 'state',
    holds: (node) => {
      const kept = keptEdits(readGridContext(node))?.rows ?? []
      const { edit } = readGridContext(node)
      // The typed value may equal the stored one.
      const typed = edit === null ? undefined : keyAt(readGridContext(node))
      return unsavedIn(node).every((key) => key === typed || kept.some((row) => row.key === key))
    },
  },
  {
    name: 'the next unsaved row is reached, wherever it is',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      step.label !== 'unsaved.show' ||
      !isIn(from, { table: { ready: 'selecting' } }) ||
      unsavedIn(from).length === 0 ||
      unsavedIn(to).some((key) => key === keyAt(readGridContext(to))),
  },
  {
    name: 'the first letter of an input method is typed into the cell',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      step.label !== 'compose.start' ||
      !isIn(from, { table: { ready: 'selecting' } }) ||
      readGridContext(to).edit?.value ===
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
      parseGridInputs(effects, 'writePaste').length === 0 || step.label === 'paste.confirm',
  },
  {
    name: 'nothing of a block is checked while a line has to be decided on',
    kind: 'edge',
    holds: ({ effects }, _from, to) =>
      parseGridInputs(effects, 'checkPaste').length === 0 ||
      openLines(readGridContext(to)).length === 0,
  },
  {
    name: 'a line is sent for the row that it names, and a line that is left out for none',
    kind: 'edge',
    holds: ({ effects }, _from, to) => {
      const { match, settled } = readGridContext(to)
      return parseGridInputs<{ readonly rows: readonly PasteRow[] }>(effects, 'checkPaste').every(
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
      readGridContext(to).history.undo.length === readGridContext(from).history.undo.length + 1,
  },
  {
    name: 'the selection is inside the grid',
    kind: 'state',
    holds: (node) => {
      const { selection, total, added, columns } = readGridContext(node)
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
      Object.entries(readGridContext(from).edits).every(
        ([key, { theirs }]) =>
          theirs === null ||
          (readGridContext(to).edits[key]?.theirs ?? null) !== null ||
          step.label.startsWith('stale.take') ||
          step.label === 'row.revert' ||
          step.label === 'leave.discard' ||
          // Undone to what somebody else stored: nothing is left that could be in conflict.
          (step.label.startsWith('history.') && readGridContext(to).edits[key] === undefined),
      ),
  },
]

/** Keys of rows with something that is not stored. */
function unsavedIn(world: World): string[] {
  return Object.entries(readGridContext(world).edits)
    .filter(
      ([, { id, values }]) =>
        id !== null || Object.values(values).some((value) => value !== null && value !== ''),
    )
    .map(([key]) => key)
}

/** Id of the row with the active cell, or key of a new one. */
function keyAt({ selection, total, added, blocks }: GridContext): string | undefined {
  const { row } = selection.anchor
  const extra = added[row - (total ?? 0)]
  return extra === undefined
    ? blocks[String(Math.floor(row / 100))]?.[row % 100]?.id
    : (extra.row?.id ?? extra.key)
}

function storedIn(world: World, id: string) {
  return Object.values(readGridContext(world).blocks)
    .flat()
    .find((row) => row.id === id)
}

function parseGridInputs<T>(effects: readonly string[], port: string): T[] {
  return effects
    .filter((effect) => effect.startsWith(`call ${port} `))
    .map((effect) => JSON.parse(effect.slice(`call ${port} `.length)) as T)
}
