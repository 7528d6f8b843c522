// The packages of others that are deployed: server, web app and terminal with all that they bring.
// `npm run parts` writes docs/operations/parts.md anew; `-- --offline` keeps what the registry said.
import { execFile, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '..')
const listFile = join(root, 'docs', 'operations', 'parts.md')
const deployed = ['apps/server', 'apps/web', 'apps/cli']
const lookupsAtOnce = 4
/** Bytes of the longest answer of npm: the dates of all versions of a package. */
const answerLimit = 64 * 1024 * 1024

/** A component of a CycloneDX 1.5 document, as `npm sbom` writes it. */
interface Component {
  group?: string
  name: string
  version: string
  purl: string
  licenses?: { license?: { id?: string; name?: string }; expression?: string }[]
}

/** A deployed package; dates as `YYYY-MM-DD`, undefined while no registry was asked. */
export interface Part {
  name: string
  version: string
  /** SPDX expression, or empty where the package states none in its package.json. */
  licence: string
  published?: string
  newest?: string
  newestPublished?: string
}

/**
 * Licences that packages grant in a file, because their package.json names none. Read by a person;
 * they hold for this version alone.
 */
const readLicences: Record<string, string> = {
  // Its repository's LICENSE; package.json says "LICENSE IN LICENSE".
  '@pgsql/parser@17.5.0': 'MIT',
  'png-js@2.0.0': 'MIT',
}

/**
 * The software bill of materials of the lock file, without packages that only build or test.
 * @throws Error with the words of npm when it ends with a fault.
 */
export function readBillOfMaterials(): { components: Component[] } {
  const done = spawnSync(
    'npm',
    [
      'sbom',
      '--sbom-format=cyclonedx',
      '--omit=dev',
      '--package-lock-only',
      ...deployed.map((workspace) => `--workspace=${workspace}`),
    ],
    {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: answerLimit,
      shell: process.platform === 'win32',
    },
  )
  if (done.status !== 0) throw new Error(`npm sbom: ${done.stderr}`)
  return JSON.parse(done.stdout)
}

/** The packages of others in a bill of materials, by name and version. */
export function listParts(bill: { components: Component[] }): Part[] {
  return bill.components
    .filter(({ purl }) => !isOurs(purl))
    .map((component) => {
      const name =
        component.group !== undefined && component.group !== ''
          ? `${component.group}/${component.name}`
          : component.name
      return { name, version: component.version, licence: findLicence(component, name) }
    })
    .toSorted((a, b) => (buildPartKey(a) < buildPartKey(b) ? -1 : 1))
}

function buildPartKey({ name, version }: Part): string {
  return `${name}@${version}`
}

function isOurs(purl: string): boolean {
  return purl.startsWith('pkg:npm/%40jiaowu/')
}

function findLicence(component: Component, name: string): string {
  const stated = (component.licenses ?? [])
    .map(({ license, expression }) => expression ?? license?.id ?? license?.name ?? '')
    .filter((text) => text !== '')
    .join(' AND ')
  return stated === '' ? (readLicences[`${name}@${component.version}`] ?? '') : stated
}

/**
 * The rows of the written list.
 * @param text Markdown whose table has the columns name, version, licence, published, newest.
 */
export function readList(text: string): Part[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => {
      const [name = '', version = '', licence = '', published, newest = ''] = line
        .slice(2, -2)
        .split(' | ')
        .map((cell) => cell.trim())
      const [newestVersion, newestPublished] = newest.split(', ')
      return {
        name: name.replaceAll('`', ''),
        version,
        licence,
        ...(published && { published }),
        ...(newestVersion && { newest: newestVersion }),
        ...(newestPublished && { newestPublished }),
      }
    })
}

/** The list as Markdown: an introduction that people wrote, then one row a package. */
export function writeList(introduction: string, parts: readonly Part[]): string {
  const rows = parts.map(
    (part) =>
      `| \`${part.name}\` | ${part.version} | ${part.licence} | ${part.published ?? ''} | ${
        part.newest === undefined ? '' : `${part.newest}, ${part.newestPublished}`
      } |`,
  )
  return [introduction, ...rows, ''].join('\n')
}

/** The text of the list above its first row. */
export function readIntroduction(text: string): string {
  const lines = text.split('\n')
  const first = lines.findIndex((line) => line.startsWith('| `'))
  return lines
    .slice(0, first === -1 ? lines.length : first)
    .join('\n')
    .trimEnd()
}

const run = promisify(execFile)

/** Adds what the configured registry says of releases. */
async function withReleases(part: Part): Promise<Part> {
  const { stdout } = await run('npm', ['view', part.name, 'time', 'dist-tags', '--json'], {
    cwd: root,
    maxBuffer: answerLimit,
    shell: process.platform === 'win32',
  })
  const answered = JSON.parse(stdout)
  const newest: string = answered['dist-tags'].latest
  return {
    ...part,
    published: formatDay(answered.time[part.version]),
    newest,
    newestPublished: formatDay(answered.time[newest]),
  }
}

function formatDay(instant: string | undefined): string {
  return instant?.slice(0, 10) ?? 'unknown'
}

/** Looks parts up, a few at once, in their order. */
async function lookUp(parts: readonly Part[]): Promise<Part[]> {
  const found: Part[] = []
  for (let start = 0; start < parts.length; start += lookupsAtOnce)
    // oxlint-disable-next-line no-await-in-loop -- a few at once
    found.push(...(await Promise.all(parts.slice(start, start + lookupsAtOnce).map(withReleases))))
  return found
}

/** Prints the advisories that the registry knows for deployed packages; false when it knows some. */
function printAdvisories(): boolean {
  const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: answerLimit,
    shell: process.platform === 'win32',
  })
  const answered = JSON.parse(stdout)
  if (answered.vulnerabilities === undefined) {
    process.stderr.write(`The registry tells no advisories: ${answered.message ?? 'no reason'}\n`)
    return true
  }
  const names = Object.keys(answered.vulnerabilities)
  for (const name of names) {
    const { severity, range, via } = answered.vulnerabilities[name]
    process.stdout.write(`${name} ${range}: ${severity} ${JSON.stringify(via)}\n`)
  }
  return names.length === 0
}

async function main(): Promise<void> {
  const text = readFileSync(listFile, 'utf8')
  const parts = listParts(readBillOfMaterials())
  const offline = process.argv.includes('--offline')
  const known = new Map(readList(text).map((part) => [buildPartKey(part), part]))
  const listed = offline
    ? parts.map((part) => ({ ...known.get(buildPartKey(part)), ...part }))
    : await lookUp(parts)
  writeFileSync(listFile, writeList(readIntroduction(text), listed))
  process.stdout.write(`${listed.length} packages in ${listFile}\n`)
  if (!offline && !printAdvisories()) process.exitCode = 7
}

if (import.meta.main) await main()
