import { spawn } from 'node:child_process'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from '@jiaowu/api/client/client'
import { schoolTime } from '@jiaowu/api/formats'
import type { RunningServer } from '../support/server.ts'
import { askCode, lastCode } from '../support/student.ts'
import { bin } from './command.ts'

const examples = join(import.meta.dirname, '..', '..', 'docs', 'examples')
const mobile = '13800000001'

/** Runs a script of docs/examples in the home folder of the command, with the command on its path. */
export async function runExample(
  { home, server }: { readonly home: string; readonly server: RunningServer },
  name: string,
  args: readonly string[],
): Promise<{ readonly code: number | null; readonly out: string; readonly err: string }> {
  const tools = join(home, 'tools')
  await mkdir(tools, { recursive: true })
  await writeFile(join(tools, 'jiaowu'), `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`)
  await chmod(join(tools, 'jiaowu'), 0o755)
  return await new Promise((resolve) => {
    const child = spawn('sh', [join(examples, name), ...args], {
      cwd: home,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        PATH: `${tools}:${process.env['PATH'] ?? ''}`,
        XDG_CONFIG_HOME: home,
        XDG_CACHE_HOME: join(home, 'cache'),
        JIAOWU_LANG: 'zh-CN',
        JIAOWU_SERVER: server.url,
        DATA_DIR: server.dataDir,
      },
    })
    let [out, err] = ['', '']
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString()
    })
    child.stderr.on('data', (chunk: Buffer) => {
      err += chunk.toString()
    })
    child.on('close', (code) => resolve({ code, out, err }))
  })
}

/** A student signs in, pays for a transcript at the sandbox cashier and downloads it. */
export async function payForOrder({ url, dataDir }: RunningServer) {
  const createApi = (token: string) =>
    createClient({
      baseURL: `${url}/api`,
      locale: () => 'zh-CN',
      authorise: () => Promise.resolve({ token, account: '', accountId: '' }),
    })
  await askCode(createApi(''), mobile, '1')
  const { token } = await createApi('').student.signIn({
    body: { account: mobile, password: await lastCode(dataDir, mobile), grantType: 'stupc' },
  })
  const { student } = createApi(token)
  const { orderNo, code_url } = await student.order({
    body: { reportId: '2001', payType: 'wechat', payValue: 5 },
  })
  await fetch(String(code_url), {
    method: 'POST',
    body: new URLSearchParams({ button: 'pay' }),
    headers: { origin: new URL(String(code_url)).origin },
    redirect: 'manual',
  })
  const { stream } = await student.download({ query: { orderNo } })
  const file = Buffer.from(await new Response(stream).arrayBuffer())
  return { orderNo, file, month: schoolTime(Date.now()).slice(0, 7) }
}
