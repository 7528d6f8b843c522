import type { Words } from './machine-words.ts'

/** Outcomes that mean the same everywhere. */
export const commonEndings: Readonly<Record<string, Words>> = {
  done: ['成功', 'it is done'],
  saved: ['已保存', 'it is saved'],
  down: ['失败，服务器暂时不可用', 'it fails, the server is not available'],
  offline: ['失败，没有网络', 'it fails, there is no network'],
  refused: ['被拒绝', 'it is refused'],
  forbidden: ['被拒绝，没有权限', 'it is refused: no right to do so'],
  gone: ['失败，对象已不存在', 'it fails, the object is gone'],
  ended: ['登录已失效', 'the session has ended'],
  invalid: ['被拒绝，有一项填写不合规则', 'it is refused: a value breaks a rule'],
  conflict: ['被拒绝，别人先改了', 'it is refused: somebody changed it first'],
  broken: ['失败，服务器出错', 'it fails, the server has a fault'],
  failed: ['失败，服务器出错', 'it fails, the server has a fault'],
  none: ['成功，没有内容', 'it succeeds, with nothing in it'],
  cancelled: ['已取消', 'it is cancelled'],
}

/** Acts of a tester before a step, so that its call fails; by the code of the answer. */
export const arrangements: Readonly<Record<string, Words>> = {
  offline: [
    '在浏览器开发者工具的“网络”里选“离线”；看到结果后改回来',
    'set the network to “Offline” in the browser’s developer tools, and back when you have seen the result',
  ],
  down: [
    '停掉服务器（或在开发者工具里拦截请求）；看到结果后恢复',
    'stop the server (or block the request in the developer tools), and go back when you have seen the result',
  ],
  session: [
    '在另一个浏览器用同一账号结束本次会话（账号 → 会话）',
    'end this session from another browser (Account, Sessions)',
  ],
  forbidden: [
    '由管理员收回这个账号的相应权限；看到结果后恢复',
    'let an administrator take the right from this account, and give it back when you have seen the result',
  ],
  gone: ['在另一个浏览器删除这个对象', 'delete the object in another browser'],
  conflict: ['在另一个浏览器先改同一条数据', 'change the same data in another browser'],
  limit: ['先把这一步重复到次数的上限', 'repeat this step until its limit is reached'],
  invalid: ['填写不合规则的内容', 'give data that break a rule'],
}

/** The group of a failure by its code. */
export function chooseArrangement(kind: string, code: number): keyof typeof arrangements | null {
  if (kind === 'transport' || code === 0) return 'offline'
  if (kind === 'session') return 'session'
  const status = code > 999 ? Math.floor(code / 100) : code
  if (status >= 500) return 'down'
  const known: Readonly<Record<number, string>> = {
    403: 'forbidden',
    404: 'gone',
    409: 'conflict',
    422: 'invalid',
    429: 'limit',
  }
  return known[status] ?? null
}
