import type { EntityListContext } from '@jiaowu/machines/entity-list/context'
import type { Rule } from '@jiaowu/path-tests'

type Place = Parameters<Extract<Rule, { kind: 'state' }>['holds']>[0]
const readListContext = ({ snapshot }: Place) => snapshot.context as EntityListContext

/** Filter, search form, number of sorts, page and size by name of the address. */
const earlier: Readonly<Record<string, readonly unknown[]>> = {
  plain: [undefined, undefined, 0, 1, 10],
  second: ['y', 'y', 1, 2, 5],
  view: ['v', 'v', 1, 2, 20],
  changed: ['z', 'z', 0, 1, 10],
}

/** Promises of a list (docs/spec/1-entity-console.md §4, §8). */
export const entityListRules: readonly Rule[] = [
  {
    name: 'search and reset ask for the first page',
    kind: 'edge',
    holds: ({ step, effects }) =>
      !(/^query\.(search|reset)/.test(step.label) && starts(effects, 'loadPage')) ||
      effects.some((effect) => effect.includes('"pageNum":1,')),
  },
  {
    name: 'reset clears search, sorts and selection',
    kind: 'edge',
    holds: ({ step, effects }, _from, to) => {
      const c = readListContext(to)
      return (
        !(step.label === 'query.reset' && starts(effects, 'loadPage')) ||
        JSON.stringify([c.draft, c.applied, c.sorts, c.selected]) === '[{},{},[],[]]'
      )
    },
  },
  {
    name: 'what is typed is asked only after a search',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      /^(query\.(search|reset)|view\.apply|address|condition|loadConfig)/.test(step.label) ||
      JSON.stringify(readListContext(from).applied) === JSON.stringify(readListContext(to).applied),
  },
  {
    name: 'cancelling a delete clears the selection',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      !(step.label === 'delete.cancel' && isAskingToDelete(from)) ||
      readListContext(to).selected.length + readListContext(to).pendingDeletion.length === 0,
  },
  {
    name: 'a single-select table holds one row at most',
    kind: 'state',
    holds: (node) =>
      readListContext(node).config?.options.singleSelect !== true ||
      readListContext(node).selected.length <= 1,
  },
  {
    name: 'a table without selection holds none',
    kind: 'state',
    holds: (node) =>
      readListContext(node).config?.options.selection !== false ||
      readListContext(node).selected.length === 0,
  },
  {
    name: 'a choice outlives the page, and a load of the same rows',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      !/^(page\.|sort\.|list\.refresh|row\.saved|query\.search|condition)/.test(step.label) ||
      readListContext(from).matching !== null ||
      readListContext(from).selected.join() === readListContext(to).selected.join(),
  },
  {
    name: 'another page or order is not counted again, anything else is',
    kind: 'edge',
    holds: ({ step, effects }, from, to) =>
      !starts(effects, 'loadPage') ||
      effects.some(
        (effect) => effect.startsWith('call loadPage ') && effect.includes('"withTotal":false'),
      ) ===
        (isTable(to) || isTable(from)
          ? false
          : (/^(page|sort|groups?)\./.test(step.label) && !readListContext(from).counting) ||
            readListContext(to).group !== null),
  },
  {
    name: 'a total that is not known is not shown',
    kind: 'state',
    holds: (node) =>
      isReady(node, 'shown') || isAskingOrDeleting(node)
        ? // The rows of open groups do not tell how many match: the figures do.
          !readListContext(node).counting || readListContext(node).group !== null
        : !isReady(node, 'failed') ||
          readListContext(node).counting ||
          readListContext(node).group !== null,
  },
  {
    name: 'beside an estimate the exact number is counted, once',
    kind: 'edge',
    holds: ({ step, effects }, from) => {
      const isAbout = step.label === 'loadPage → about' && !/withTotal":false/.test(step.label)
      return !starts(effects, 'countRows') || (isAbout && readListContext(from).counting)
    },
  },
  {
    name: 'an estimate that is shown is being counted, unless that failed',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      !readListContext(to).totalIsEstimate ||
      readListContext(to).counting ||
      to.snapshot.matches({ total: 'counting' } as never) ||
      step.label.startsWith('countRows') ||
      (readListContext(from).totalIsEstimate && !readListContext(from).inexact),
  },
  {
    name: 'no estimate replaces an exact total of the same conditions',
    kind: 'edge',
    holds: (_step, from, to) =>
      !readListContext(to).totalIsEstimate ||
      readListContext(from).totalIsEstimate ||
      readListContext(from).exactFor === null ||
      JSON.stringify([readListContext(to).applied, readListContext(to).where ?? null]) !==
        readListContext(from).exactFor,
  },
  {
    name: 'without a condition the first page is asked for',
    kind: 'edge',
    holds: ({ step, effects }, _from, to) =>
      !(/^(condition|where)/.test(step.label) && starts(effects, 'loadPage')) ||
      (readListContext(to).pageNum === 1 && readListContext(to).matching === null),
  },
  {
    name: 'clearing the conditions leaves none',
    kind: 'edge',
    holds: ({ step, effects }, _from, to) =>
      !(/^(conditions\.clear|query\.reset)/.test(step.label) && starts(effects, 'loadPage')) ||
      JSON.stringify([
        readListContext(to).applied,
        readListContext(to).draft,
        readListContext(to).where,
      ]) === '[{},{},null]',
  },
  {
    name: 'what an address asks for in vain is said',
    kind: 'edge',
    holds: ({ step, effects }, from) =>
      !(
        step.label.startsWith('loadConfig → multi') &&
        readListContext(from).address.includes('nosuch')
      ) || effects.some((effect) => effect.includes('nosuch,gone')),
  },
  {
    name: 'rows are deleted only after a yes, and those that were asked about',
    kind: 'edge',
    holds: ({ step, effects }, from) =>
      !starts(effects, 'removeRows') ||
      (step.label === 'delete.confirm' &&
        effects.some((effect) =>
          effect.includes(JSON.stringify(readListContext(from).pendingDeletion)),
        )),
  },
  {
    name: 'the question before a deletion names the rows',
    kind: 'state',
    holds: (node) =>
      !isAskingToDelete(node) ||
      readListContext(node).pendingDeletion.every(
        (id) => readListContext(node).names[id] === `n${id}`,
      ),
  },
  {
    name: 'only the last change is taken back, and once',
    kind: 'edge',
    holds: ({ step, effects }, from) =>
      !starts(effects, 'undoLast') ||
      (step.label.startsWith('undo.press') &&
        effects.some((effect) =>
          effect.includes(
            readListContext(from).undo?.do === 'restore' ? '"ids":["b"]' : '"before"',
          ),
        )),
  },
  {
    name: 'deleting with nothing chosen says so',
    kind: 'edge',
    holds: ({ step, effects }, from, to) =>
      !(
        step.label === 'delete.ask(selection)' &&
        isReady(from, 'shown') &&
        readListContext(from).selected.length === 0 &&
        readListContext(from).matching === null
      ) ||
      (isReady(to, 'shown') && effects.some((effect) => effect.includes('list.noSelection'))),
  },
  {
    name: 'after a delete the rows are read again',
    kind: 'edge',
    holds: ({ step, effects }) => step.label !== 'removeRows → done' || starts(effects, 'loadPage'),
  },
  {
    name: 'a question that is open stays open until it is answered',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      !(
        isAskingToDelete(from) &&
        /^(row\.saved|list\.refresh|row|rows|pressButton|exportRows)/.test(step.label)
      ) || isAskingToDelete(to),
  },
  {
    name: 'a page past the end is left for one that is there',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      !(step.label === 'loadPage → pastEnd' && readListContext(from).pageNum > 1) ||
      readListContext(to).pageNum < readListContext(from).pageNum ||
      // Its number was not asked for: it is counted first.
      (readListContext(to).counting && !readListContext(from).counting),
  },
  {
    name: 'all of a filter is chosen only by asking for it',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      readListContext(from).matching !== null ||
      readListContext(to).matching === null ||
      step.label === 'selection.all',
  },
  {
    name: 'another filter lets go of all of the last one',
    kind: 'edge',
    holds: ({ step, effects }, _from, to) =>
      !(/^query\.(search|reset)/.test(step.label) && starts(effects, 'loadPage')) ||
      readListContext(to).matching === null,
  },
  {
    name: 'of all of a filter, every row on the page is chosen but the excepted',
    kind: 'state',
    holds: (node) => {
      const { matching, selected, page } = readListContext(node)
      return (
        matching === null ||
        !isReady(node, 'shown') ||
        (page?.records ?? []).every(({ id }) => selected.includes(id) !== matching.includes(id))
      )
    },
  },
  {
    name: 'a selection of all of a filter is never deleted by ids',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      !(step.label === 'delete.ask(selection)' && readListContext(from).matching !== null) ||
      !isAskingToDelete(to) ||
      isAskingToDelete(from),
  },
  {
    name: 'a single row may be deleted whatever is chosen',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      !(step.label === 'delete.ask(row)' && isReady(from, 'shown')) ||
      (isAskingToDelete(to) && readListContext(to).pendingDeletion.join() === 'b'),
  },
  {
    name: 'letting go lets go of everything',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      !(step.label === 'selection.clear' && isReady(from, 'shown')) ||
      (readListContext(to).selected.length === 0 && readListContext(to).matching === null),
  },
  {
    name: 'an earlier address is shown as it was, and is no step',
    kind: 'edge',
    holds: ({ step, effects }, _from, to) => {
      const wanted = earlier[/^address\.show\((\w+)\)/.exec(step.label)?.[1] ?? '']
      const { applied, draft, sorts, pageNum, pageSize, matching, isStep } = readListContext(to)
      return (
        wanted === undefined ||
        !starts(effects, 'loadPage') ||
        (JSON.stringify([applied.name, draft.name, sorts.length, pageNum, pageSize]) ===
          JSON.stringify(wanted) &&
          matching === null &&
          !isStep)
      )
    },
  },
  {
    name: 'what the user asked for is a step as long as it loads, a correction is none',
    kind: 'edge',
    holds: ({ step, effects }, _from, to) =>
      readListContext(to).isStep
        ? !/^(loadPage|address|list\.refresh → )/.test(step.label)
        : !starts(effects, 'loadPage') ||
          !/^(query\.(search|reset)|condition|where|sort|page|group\.(set|rows)|view\.apply)/.test(
            step.label,
          ),
  },
  {
    name: 'a view is shown from its first page, with nothing chosen',
    kind: 'edge',
    holds: ({ step, effects }, from, to) =>
      !(step.label === 'view.apply(mine)' && starts(effects, 'loadPage')) ||
      (readListContext(to).pageNum === 1 &&
        readListContext(to).selected.length === 0 &&
        readListContext(to).matching === null &&
        readListContext(to).applied.name === 'v' &&
        !isAskingToDelete(from)),
  },
  {
    name: 'groups and figures are of all rows that match, whichever groups are open',
    kind: 'edge',
    holds: ({ effects }) =>
      effects.every(
        (effect) => !effect.startsWith('call loadFigures ') || !effect.includes('"where"'),
      ),
  },
  {
    name: 'of groups some of which are open, only their rows are asked for',
    kind: 'edge',
    holds: ({ effects }, _from, to) => {
      const { opened } = readListContext(to)
      const isPart = opened !== null && opened.length > 0
      return effects.every(
        (effect) =>
          !effect.startsWith('call loadPage ') ||
          readListContext(to).where !== null ||
          effect.includes('"where"') === isPart,
      )
    },
  },
  {
    name: 'grouped rows come in the order of their groups',
    kind: 'edge',
    holds: ({ effects }, _from, to) => {
      const { group } = readListContext(to)
      return effects.every(
        (effect) =>
          !effect.startsWith('call loadPage ') ||
          group === null ||
          group.table !== undefined ||
          effect.includes(`"sorts":[{"column":"${group.column}"`),
      )
    },
  },
  {
    name: 'a list without groups and footers asks for none',
    kind: 'edge',
    holds: ({ effects }, _from, to) =>
      !starts(effects, 'loadFigures') ||
      readListContext(to).group !== null ||
      readListContext(to).footer.length > 0,
  },
  {
    name: 'a page of a table of groups is asked for as such, with no figures beside it',
    kind: 'edge',
    holds: ({ effects }, _from, to) =>
      effects.every(
        (effect) =>
          !isTable(to) ||
          !/^call load(Page|Figures) /.test(effect) ||
          (effect.startsWith('call loadPage ') && effect.includes('"table":')),
      ),
  },
  {
    name: 'rows behind a cell are those of its row and its column, and no groups',
    kind: 'edge',
    holds: ({ step, effects }, _from, to) =>
      !(step.label === 'group.rows(cell)' && starts(effects, 'loadPage')) ||
      (readListContext(to).group === null &&
        /"kind","op":"in".*"born","op":"between","value":\["2026-02","2026-02"\]/.test(
          JSON.stringify(readListContext(to).where),
        )),
  },
  {
    name: 'a button that asks first acts only after a yes',
    kind: 'edge',
    holds: ({ step, effects }) =>
      step.label !== 'button.press(ask)' || !starts(effects, 'pressButton'),
  },
  {
    name: 'from everywhere rows can be shown',
    kind: 'reach',
    to: (node) => isReady(node, 'shown'),
  },
]

function isTable(place: Place) {
  return readListContext(place).group?.table !== undefined
}

function starts(effects: readonly string[], port: string) {
  return effects.some((effect) => effect.startsWith(`call ${port} `))
}

function isReady({ snapshot }: Place, state: string) {
  return snapshot.matches({ list: { ready: state } } as never)
}

function isAskingOrDeleting({ snapshot }: Place) {
  return snapshot.matches({ list: 'deletion' } as never)
}

function isAskingToDelete({ snapshot }: Place) {
  return snapshot.matches({ list: { deletion: 'confirming' } } as never)
}
