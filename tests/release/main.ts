// `npm run test:release [-- --built]`: packs a release, unpacks it where nothing else is, and runs it as another user
// behind the nginx and the Caddy of `deploy`, where this machine has them. Needs the right to change users.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { openSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../apps/server/testing/postgres/postgres-cluster.ts'

const root = join(import.meta.dirname, '..', '..')
/** The server runs as `nobody`. */
const user = 65_534
const password = 'Jiaowu-release-2026'
const host = 'jiaowu.example.edu.cn'
const children = new Set<ChildProcess>()
const place = mkdtempSync(join(tmpdir(), 'jiaowu-release-'))
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(place, { recursive: true, force: true })
})
let failures = 0
await run()
process.exit(failures === 0 ? 0 : 1)

async function run(): Promise<void> {
  const code = unpack()
  const before = digestFolder(code)
  const home = join(place, 'home')
  mkdirSync(home, { mode: 0o700 })
  chownSync(home, user, user)
  const port = await freePort()
  const log = join(place, 'log')
  const env = {
    PATH: '/usr/bin:/bin',
    APP_ENV: 'test',
    DEMO: '1',
    DATA_DIR: join(home, 'data'),
    PORT: String(port),
    ADMIN_PASSWORD: password,
    TRUST_PROXY: '127.0.0.1',
  }
  const program = join(code, 'bin', 'jiaowu-server')
  const started = performance.now()
  const server = spawn(program, [], {
    cwd: home,
    env,
    uid: user,
    gid: user,
    stdio: ['ignore', 'ignore', openSync(log, 'w')],
  })
  children.add(server)
  const url = `http://127.0.0.1:${port}`
  check('ready', await isReady(url), `${formatSeconds(started)} s after the first start`)
  const page = await (await fetch(url)).text()
  const script = /src="([^"]+\.js)"/.exec(page)?.[1] ?? '/none'
  check('the console and its script', (await fetch(`${url}${script}`)).status === 200, script)
  check('a sign-in', (await signIn(url)) === 200)
  await front('nginx', port)
  await front('caddy', port)
  const backup = spawnSync(program, ['backup', '-o', join(home, 'a.backup')], {
    cwd: home,
    env,
    uid: user,
    gid: user,
    encoding: 'utf8',
  })
  check('a backup beside it', backup.status === 0, backup.stdout.trim())
  const stopping = performance.now()
  server.kill('SIGTERM')
  const [exitCode] = (await once(server, 'exit')) as [number | null]
  check(
    'a stop',
    exitCode === 0,
    `exit code ${String(exitCode)} after ${formatSeconds(stopping)} s`,
  )
  const lines = readFileSync(log, 'utf8').trim().split('\n')
  check(
    'no error in the log',
    !lines.some((line) => /"level":[56]0/.test(line)),
    `${lines.length} lines`,
  )
  check('the code folder is as it was', digestFolder(code) === before)
  verifyUnit(code)
}

function unpack(): string {
  const words = ['scripts/release.ts', ...process.argv.slice(2)]
  const made = spawnSync(process.execPath, words, { cwd: root, encoding: 'utf8' })
  const archive = made.stdout.trim().split('\n').at(-1) ?? ''
  check(
    'a release',
    made.status === 0,
    `${Math.round(statSync(archive).size / 1e6)} MB ${made.stderr}`,
  )
  chmodSync(place, 0o755)
  spawnSync('tar', ['-C', place, '--no-same-owner', '-xzf', archive])
  const [folder = ''] = globSync('jiaowu-*', { cwd: place })
  spawnSync('chmod', ['-R', 'a-w,a+rX', join(place, folder)])
  return join(place, folder)
}

/** Starts the proxy with its file of `deploy`, changed only in ports and certificate. */
async function front(name: 'nginx' | 'caddy', port: number): Promise<void> {
  if (spawnSync('which', [name]).status !== 0) {
    console.log(`skip  ${name} is not on this machine`)
    return
  }
  const [plain, secure] = [await freePort(), await freePort()]
  const certificate = makeCertificate()
  const words =
    name === 'nginx'
      ? nginxWords({ plain, secure, port, ...certificate })
      : caddyWords({ plain, secure, port, ...certificate })
  const proxy = spawn(name, words, { stdio: 'ignore', env: { ...process.env, HOME: place } })
  children.add(proxy)
  const ask = (path: string, more: readonly string[] = []) =>
    spawnSync(
      'curl',
      [
        '-sik',
        '--resolve',
        `${host}:${secure}:127.0.0.1`,
        ...more,
        `https://${host}:${secure}${path}`,
      ],
      { encoding: 'utf8' },
    ).stdout
  for (let tries = 0; tries < 50 && ask('/health/ready') === ''; tries += 1) await sleep(100)
  const answer = ask('/health/ready', ['-H', 'X-Forwarded-For: 203.0.113.7'])
  check(`${name}: TLS`, /^HTTP\/\S+ 200/.test(answer))
  check(`${name}: the server knows that it is https`, /strict-transport-security/i.test(answer))
  check(`${name}: an id of the call`, /x-request-id: [\w-]{20,}/i.test(answer))
  check(`${name}: no metrics for strangers`, /^HTTP\/\S+ 404/.test(ask('/metrics')))
  proxy.kill('SIGTERM')
  await once(proxy, 'exit')
}

interface Front {
  readonly plain: number
  readonly secure: number
  readonly port: number
  readonly certificate: string
  readonly key: string
}

function nginxWords({ plain, secure, port, certificate, key }: Front): string[] {
  const text = readFileSync(join(root, 'deploy/nginx/jiaowu.conf'), 'utf8')
    .replaceAll(/:730[12]/g, `:${port}`)
    .replaceAll(/listen (\[::\]:)?80;/g, `listen $1${plain};`)
    .replaceAll(/listen (\[::\]:)?443/g, `listen $1${secure}`)
    .replaceAll('/etc/ssl/jiaowu/fullchain.pem', certificate)
    .replaceAll('/etc/ssl/jiaowu/key.pem', key)
  const file = join(place, 'nginx.conf')
  const own = `pid ${place}/nginx.pid; error_log ${place}/nginx.log; events {}`
  writeFileSync(file, `${own}\nhttp { access_log off;\n${text}}\n`)
  return ['-c', file, '-g', 'daemon off;']
}

function caddyWords({ plain, secure, port, certificate, key }: Front): string[] {
  const text = readFileSync(join(root, 'deploy/caddy/Caddyfile'), 'utf8')
    .replaceAll(/:730[12]/g, `:${port}`)
    .replace(`${host} {`, `${host}:${secure} {\n\ttls ${certificate} ${key}`)
  const file = join(place, 'Caddyfile')
  writeFileSync(file, `{\n\tadmin off\n\thttp_port ${plain}\n\thttps_port ${secure}\n}\n${text}`)
  return ['run', '--config', file]
}

function makeCertificate(): Pick<Front, 'certificate' | 'key'> {
  const [certificate, key] = [join(place, 'tls.pem'), join(place, 'tls-key.pem')]
  spawnSync('openssl', [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    '-subj',
    `/CN=${host}`,
    '-keyout',
    key,
    '-out',
    certificate,
  ])
  return { certificate, key }
}

/** Its program must exist where the unit names it, so the unit is tried with the path of this run. */
function verifyUnit(code: string): void {
  if (spawnSync('which', ['systemd-analyze']).status !== 0) return
  const link = join(place, 'jiaowu')
  symlinkSync(code, link)
  const unit = join(place, 'jiaowu.service')
  const text = readFileSync(join(root, 'deploy/systemd/jiaowu.service'), 'utf8')
  writeFileSync(unit, text.replaceAll('/opt/jiaowu', link))
  const found = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' })
  check('the systemd unit', found.status === 0, found.stderr.trim())
}

async function isReady(url: string): Promise<boolean> {
  for (let tries = 0; tries < 600; tries += 1) {
    const answer = await fetch(`${url}/health/ready`).catch(() => undefined)
    if (answer?.ok === true) return true
    await sleep(200)
  }
  return false
}

async function signIn(url: string): Promise<number> {
  const { status } = await fetch(`${url}/api/authority/anno/login`, {
    method: 'POST',
    headers: { authorization: 'Basic MDAwMDow' },
    body: new URLSearchParams({ grant_type: 'password', username: 'admin', password }),
  })
  return status
}

function digestFolder(folder: string): string {
  const hash = createHash('sha256')
  for (const entry of globSync('**/*', { cwd: folder, withFileTypes: true }))
    if (entry.isFile()) {
      const path = join(entry.parentPath, entry.name)
      hash.update(path).update(readFileSync(path))
    }
  return hash.digest('hex')
}

function formatSeconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(1)
}

function check(what: string, isGood: boolean, details = ''): void {
  if (!isGood) failures += 1
  console.log(`${isGood ? 'good ' : 'FAILS'} ${what}${details === '' ? '' : `: ${details}`}`)
}
