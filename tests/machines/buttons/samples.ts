import type { Button, ButtonAction } from '@jiaowu/api/entity/definition/button'
import type { Row } from '@jiaowu/api/entity/values'

/** The record whose form or details hold the buttons. */
export const record: Row = {
  id: '1',
  version: 1,
  name: 'old',
  faculty: [{ id: '1', name: 'n1' }],
  major: [{ id: '11', name: 'n11' }],
}

function buildSampleButton(
  code: string,
  eventContent: readonly ButtonAction[] | null,
  more: Partial<Button> = {},
): Button {
  return {
    code,
    name: `按钮${code}`,
    icon: null,
    status: 1,
    position: 4,
    positionExp: null,
    eventType: 1,
    eventContent: eventContent === null ? null : [...eventContent],
    ...more,
  }
}

const approve: ButtonAction = {
  do: 'request',
  tag: 'B',
  method: 'update',
  id: '{id}',
  values: { approved: 1, faculty: '{faculty}', version: '{version}' },
}
const addNote: ButtonAction = {
  do: 'request',
  tag: 'B',
  method: 'create',
  values: { title: '{faculty.name}' },
}

/** The request that the server allows an SQL button. */
export const serverRequest: ButtonAction = {
  do: 'request',
  tag: 'B',
  method: 'create',
  values: { title: 'sql' },
}

export const buttons = {
  /** Effects only. */
  tell: buildSampleButton('tell', [
    { do: 'message', tone: 'error', text: '{name}在{faculty}' },
    { do: 'open', to: '/entity/B/list?no={faculty.name}', where: 'tab' },
  ]),
  set: buildSampleButton('set', [{ do: 'setField', attrName: 'name', value: 'set' }], {
    position: 3,
  }),
  /** Two calls with effects before, between and after. */
  send: buildSampleButton('send', [
    { do: 'message', tone: 'info', text: 'one' },
    approve,
    { do: 'message', tone: 'success', text: 'two' },
    addNote,
    { do: 'refresh' },
  ]),
  ask: buildSampleButton('ask', [{ do: 'request', tag: 'B', method: 'remove', id: '{id}' }], {
    confirm: '删除吗？',
  }),
  sql: buildSampleButton('sql', null, { eventType: 2 }),
} as const
