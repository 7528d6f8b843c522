import type { TodoListContext } from '@jiaowu/machines/todo-list/machine'
import type { Rule } from '@jiaowu/path-tests'

type Worlds = Parameters<Extract<Rule, { kind: 'state' }>['holds']>[0]
const readTodoContext = ({ snapshot }: Worlds) => snapshot.context as TodoListContext
function isIn({ snapshot }: Worlds, state: string | object) {
  return snapshot.matches(state as never)
}
function findTodoCall(effects: readonly string[], port: string) {
  return effects.find((effect) => effect.startsWith(`call ${port}`))
}

/** Promises of the list of cases (docs/rules/contract.md#flows). */
export const todoListRules: readonly Rule[] = [
  {
    name: 'cases are decided after a check of the same decision and note, once they are sent',
    kind: 'edge',
    holds: ({ step, effects }, from) => {
      const call = findTodoCall(effects, 'decideTodos')
      if (call === undefined) return true
      const { event, note, results } = readTodoContext(from)
      return (
        step.label === 'batch.send' &&
        isIn(from, { batch: 'checked' }) &&
        results !== null &&
        call.includes(`{"event":"${event ?? ''}","note":"${note.trim()}"`)
      )
    },
  },
  {
    name: 'only chosen cases that the check found possible are sent, each with its version',
    kind: 'edge',
    holds: ({ effects }, from) => {
      const call = findTodoCall(effects, 'decideTodos')
      const { results, chosen } = readTodoContext(from)
      return (
        call === undefined ||
        ['A/1', 'B/2', 'B/3'].every((key) => {
          const [tag, id] = key.split('/')
          const isPossible = results?.some((each) => each.ok && `${each.tag}/${each.id}` === key)
          return (
            call.includes(`{"tag":"${tag}","id":"${id}","version":"1.${id}"}`) ===
            (isPossible === true && chosen.includes(key))
          )
        })
      )
    },
  },
  {
    name: 'a note that the flow requires is asked for before the check',
    kind: 'edge',
    holds: ({ step, effects }, from, to) =>
      step.label !== 'batch.check' ||
      !isIn(from, { batch: 'asking' }) ||
      (readTodoContext(from).event === 'REJECT' && readTodoContext(from).note.trim() === ''
        ? readTodoContext(to).fault?.key === 'flowPanel.noteMissing' &&
          findTodoCall(effects, 'checkTodos') === undefined
        : findTodoCall(effects, 'checkTodos') !== undefined),
  },
  {
    name: 'a decision is offered where all chosen cases take it, and a case that asks for fields is not chosen',
    kind: 'state',
    holds: (node) => {
      const { chosen, event } = readTodoContext(node)
      return (
        !chosen.includes('B/3') &&
        (!isIn(node, 'batch') ||
          (chosen.length > 0 && (event !== 'REJECT' || !chosen.includes('B/2'))))
      )
    },
  },
  {
    name: 'another list, kind, order, limit or page begins with nothing chosen',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      !/^list\.(?:choose|filter|order|due|page)/.test(step.label) ||
      from === to ||
      isIn(from, 'batch') ||
      !isIn(to, { list: 'reading' }) ||
      step.label === 'list.page(beyond)' ||
      readTodoContext(to).chosen.length === 0,
  },
  {
    name: 'after a decision was sent the list is read again, from its first page',
    kind: 'edge',
    holds: ({ step, effects }, from, to) =>
      step.label !== 'batch.close' ||
      !(isIn(from, { batch: 'told' }) || isIn(from, { batch: 'sending' })) ||
      (findTodoCall(effects, 'loadTodos') !== undefined &&
        readTodoContext(to).chosen.length === 0 &&
        readTodoContext(to).pageNum === 1),
  },
  {
    name: 'nothing of a closed question is left in the list',
    kind: 'state',
    holds: (node) => {
      const { event, note, results, fault } = readTodoContext(node)
      return (
        !isIn(node, 'list') ||
        JSON.stringify([event, note, results, fault]) === '[null,"",null,null]'
      )
    },
  },
  {
    name: 'a failure says why and keeps the chosen cases',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      !step.label.endsWith('Todos → broken') ||
      (readTodoContext(to).problem?.code === 500 &&
        readTodoContext(to).chosen.join() === readTodoContext(from).chosen.join()),
  },
  {
    name: 'from everywhere the list can be reached',
    kind: 'reach',
    to: (node) => isIn(node, { list: 'shown' }),
  },
]
