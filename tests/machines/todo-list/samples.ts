import type { FlowDecided, FlowTodo, FlowTodoPage } from '@jiaowu/api/contract/entity/flow'

const approve = { event: 'APPROVE', name: '同意', ask: [], note: null }
const reject = { event: 'REJECT', name: '驳回', ask: [], note: 'required' as const }
const fill = {
  event: 'FILL',
  name: '填写',
  ask: [{ attrName: 'score', required: true }],
  note: null,
}

function buildTodo(tag: string, id: string, can: FlowTodo['can']): FlowTodo {
  return {
    tag,
    entity: tag === 'A' ? '缓考' : '休学',
    id,
    title: `t${id}`,
    state: 'review',
    name: '审核',
    isDone: false,
    since: '2026-01-09 10:00:00',
    applicant: { id: '7', name: '张三' },
    can,
    version: `1.${id}`,
  }
}

const entities = [
  { tag: 'A', name: '缓考' },
  { tag: 'B', name: '休学' },
]
const [first, second] = [buildTodo('A', '1', [approve, reject]), buildTodo('B', '2', [approve])]
/** The third asks for a field, so it is decided by itself. */
const third = buildTodo('B', '3', [fill])
export const todoPages: Readonly<Record<'many' | 'one' | 'none', FlowTodoPage>> = {
  many: { records: [first, second, third], total: 23, size: 10, current: 1, entities },
  one: { records: [second], total: 1, size: 10, current: 1, entities },
  none: { records: [], total: 0, size: 10, current: 1, entities: [] },
}

const buildAgreed = (tag: string, id: string): FlowDecided => ({
  tag,
  id,
  ok: true,
  state: 'done',
  name: '已办结',
  msg: null,
})
const buildRefused = (tag: string, id: string): FlowDecided => ({
  tag,
  id,
  ok: false,
  state: null,
  name: null,
  msg: '已由他人办理',
})
export const todoResults: Readonly<Record<'all' | 'part' | 'none', readonly FlowDecided[]>> = {
  all: [buildAgreed('A', '1'), buildAgreed('B', '2')],
  part: [buildAgreed('A', '1'), buildRefused('B', '2')],
  none: [buildRefused('A', '1'), buildRefused('B', '2')],
}
