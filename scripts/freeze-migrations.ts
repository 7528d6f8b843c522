// `node scripts/freeze-migrations.ts`: adds the migrations that are new since the last release to the list of those
// that never change (docs/decisions/0024-old-beside-new.md).
import { createHash } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

export const migrationFolder = join(
  import.meta.dirname,
  '../apps/server/src/platform/database/migrations',
)
const list = join(migrationFolder, 'released.json')

/** Digests by name. */
export type Digests = Readonly<Record<string, string>>

if (import.meta.main) {
  const frozen = { ...digestMigrations(), ...readReleased() }
  writeFileSync(list, `${JSON.stringify(frozen, Object.keys(frozen).toSorted(), 2)}\n`)
}

export function readReleased(): Digests {
  return JSON.parse(readFileSync(list, 'utf8')) as Digests
}

/** Covers the code without its layout and comments, which may change. */
export function digestMigrations(): Digests {
  const files = globSync('*/[0-9]*.ts', { cwd: migrationFolder }).filter(
    (file) => !file.endsWith('.test.ts'),
  )
  return Object.fromEntries(
    files.toSorted().map((file) => {
      const code = readFileSync(join(migrationFolder, file), 'utf8')
        .replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
        .replace(/[\s,;()]+/g, '')
      return [basename(file, '.ts'), createHash('sha256').update(code).digest('hex').slice(0, 32)]
    }),
  )
}

/** Says in sentences for developers what a release does not allow. */
export function findBroken(released: Digests, now: Digests): string[] {
  const last = Object.keys(released).toSorted().at(-1) ?? ''
  const changed = Object.keys(released).flatMap((name) => {
    if (now[name] === undefined) return [`${name} is gone: databases of a release have it`]
    return now[name] === released[name]
      ? []
      : [`${name} has changed: databases of a release have it as it was; add a new migration`]
  })
  const late = Object.keys(now)
    .filter((name) => released[name] === undefined && name < last)
    .map((name) => `${name} comes before ${last} of a release, whose databases could never take it`)
  return [...changed, ...late]
}
