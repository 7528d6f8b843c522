import { ApiProblem, networkProblem } from '@jiaowu/api/problem'
import { createClient } from '@jiaowu/api/client/client'
import { messageText } from '@jiaowu/api/texts/index'
import { adoptTablesApiPorts } from '@jiaowu/machines/adopt-tables/api-ports'
import { entityFormApiPorts } from '@jiaowu/machines/entity-form/api-ports'
import { entryApiPorts } from '@jiaowu/machines/entry-sheet/api-ports'
import { gridApiPorts } from '@jiaowu/machines/grid-edit/api-ports'
import { revealApiPorts } from '@jiaowu/machines/reveal/api-ports'
import { todoListApiPorts } from '@jiaowu/machines/todo-list/api-ports'
import {
  downloadPorts,
  noticesPorts,
  registerPorts,
  signInPorts,
  smsPorts,
} from '../../apps/web/src/ports/student-ports.ts'
import { bulkPorts } from '../../apps/web/src/features/bulk/use-bulk.ts'
import { designPorts } from '../../apps/web/src/ports/designer-ports.ts'
import { buttonsPorts } from '../../apps/web/src/ports/buttons-ports.ts'
import { listPorts } from '../../apps/web/src/ports/list-ports.ts'
import { sessionPorts } from '../../apps/web/src/ports/index.ts'
import { printPorts } from '../../apps/web/src/ports/print-ports.ts'
import { createFileRegistry, transferPorts } from '../../apps/web/src/ports/transfer-ports.ts'
import { viewsPorts } from '../../apps/web/src/ports/views-ports.ts'
import type { MachineName } from './registry.ts'
const rejectOffline = () => Promise.reject(new TypeError('fetch failed'))

/** Faults that can come instead of an answer, and the sentence a person must read then. */
export const faults = {
  timeout: { fetch: rejectOffline, zh: '请求超时', en: 'Request timed out' },
  offline: {
    fetch: rejectOffline,
    zh: '网络异常，无法连接服务器',
    en: 'Network error: the server cannot be reached',
  },
  500: {
    fetch: json(500),
    zh: '系统内部错误，请联系网站管理员',
    en: 'Internal system error, contact the site administrator',
  },
  401: {
    fetch: json(401),
    zh: '抱歉，认证已失效，请重新登录',
    en: 'Sorry, authentication has expired, please log in again',
  },
  html: {
    fetch: html(200),
    zh: '服务器返回了无法识别的内容',
    en: 'The server sent something that could not be read',
  },
  html502: {
    fetch: html(502),
    zh: '暂时连接不上服务器，已输入的内容都还在，请稍后再试',
    en: 'The server cannot be reached just now; what you typed is kept. Try again shortly',
  },
} as const

function json(status: number) {
  return async () =>
    new Response(JSON.stringify({ success: false, code: status, data: null }), {
      status,
      headers: { 'content-type': 'application/json' },
    })
}

function html(status: number) {
  return async () =>
    new Response('<!doctype html><title>proxy</title>', {
      status,
      headers: { 'content-type': 'text/html' },
    })
}

export type FaultName = keyof typeof faults
export const faultNames = Object.keys(faults) as FaultName[]

type Ports = Readonly<Record<string, (input: never, signal: AbortSignal) => Promise<unknown>>>

/**
 * The error that the web's own port throws when this fault meets it, through the real client. Time
 * that runs out is a deadline that has passed. A port that calls nobody for these samples (a button
 * without actions, a file that is not there) fails as the simplest call does.
 * @throws when the fault is taken for an answer
 */
export async function captureFaultError(
  machine: MachineName,
  port: string,
  input: unknown,
  fault: FaultName,
): Promise<unknown> {
  const { timeout } = AbortSignal
  if (fault === 'timeout')
    AbortSignal.timeout = () => AbortSignal.abort(new DOMException('', 'TimeoutError'))
  let calls = 0
  try {
    const call = portsUnder(machine, fault, () => {
      calls += 1
    })[port]
    const error: unknown =
      call === undefined
        ? null
        : await call(input as never, new AbortController().signal).then(
            () => null,
            (reason: unknown) => reason,
          )
    if (error === null && calls > 0)
      throw new Error(`${machine}.${port} takes ${fault} for an answer`)
    return error instanceof ApiProblem ? error : await captureSimpleFault(fault)
  } finally {
    AbortSignal.timeout = timeout
  }
}

/** The ports of the web on a client to which only this ever comes; `asked` is told of every call. */
function portsUnder(machine: MachineName, fault: FaultName, asked: () => void): Ports {
  const api = createClient({
    baseURL: 'http://school.test/api',
    locale: () => 'zh-CN',
    authorise: async () => ({ token: 't', account: '', accountId: '' }),
    fetch: () => {
      asked()
      return faults[fault].fetch()
    },
  })
  const app = {
    api,
    saveFile: () => Promise.resolve(),
    toast: () => {},
    openTab: () => {},
    openDrawer: () => {},
  }
  const made: Readonly<Partial<Record<MachineName, () => object>>> = {
    session: () => sessionPorts(api),
    entityList: () => listPorts(app, () => {}),
    entityForm: () => entityFormApiPorts(api),
    buttons: () => buttonsPorts(api),
    designer: () => designPorts(api),
    printPreview: () => printPorts(app),
    smsCode: () => smsPorts(api),
    signIn: () => signInPorts(api),
    register: () => registerPorts(api),
    notices: () => noticesPorts(api),
    download: () => downloadPorts(app),
    transfer: () =>
      transferPorts(app, createFileRegistry(), { onSent: () => {}, onReceived: () => {} }),
    views: () => viewsPorts(api),
    bulkEdit: () => bulkPorts(app),
    reveal: () => revealApiPorts(api),
    todoList: () => todoListApiPorts(api),
    entrySheet: () => entryApiPorts(api),
    adoptTables: () => adoptTablesApiPorts(api),
    gridEdit: () =>
      gridApiPorts(
        api,
        () => Promise.resolve(),
        (message) => messageText('zh-CN', message),
      ),
    lookup: () => ({
      find: ({ tag, fieldId }: { tag: string; fieldId: string }) =>
        api.entityData.lookup({ params: { tag }, body: { fieldId } }),
    }),
  }
  return (made[machine]?.() ?? {}) as Ports
}

/** The same fault, met by the simplest call there is. */
async function captureSimpleFault(fault: FaultName): Promise<unknown> {
  const api = createClient({
    baseURL: 'http://school.test/api',
    locale: () => 'zh-CN',
    authorise: () => Promise.resolve(undefined),
    fetch: faults[fault].fetch,
  })
  const error: unknown = await api.student.captcha({}).then(
    () => null,
    (reason: unknown) => reason,
  )
  return error instanceof ApiProblem ? error : networkProblem()
}
