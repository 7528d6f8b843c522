import { ApiProblem } from '@jiaowu/api/problem'
import type { Locale } from '@jiaowu/api/locale'
import { t } from '@jiaowu/api/texts/index'
import { parseJson } from '@jiaowu/api/exact-json'
import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { CommandError, exitCodes } from '../exit.ts'
import { runLocked } from './file-lock.ts'

const savedUser = v.object({
  id: v.string(),
  account: v.string(),
  name: v.string(),
  roles: v.array(v.string()),
  mustChangePassword: v.boolean(),
  tenant: v.string(),
  org: v.optional(v.nullable(v.object({ id: v.string(), name: v.string() })), null),
})
const savedSession = v.object({
  token: v.string(),
  refreshToken: v.nullable(v.string()),
  /** Milliseconds since 1970. */
  expiresAt: v.number(),
  user: savedUser,
  /** The directory that knows the password of the account. */
  provider: v.exactOptional(v.string()),
})
/** Stored result of a sign-in. */
export type SavedSession = v.InferOutput<typeof savedSession>

const profile = v.object({
  server: v.string(),
  account: v.string(),
  session: v.nullable(savedSession),
})
/** Server and account under a name. Signing out removes the tokens but keeps the profile. */
export type Profile = v.InferOutput<typeof profile>

const file = v.object({
  version: v.literal(2),
  current: v.nullable(v.string()),
  profiles: v.record(v.string(), profile),
})
type File = v.InferOutput<typeof file>
const emptyFile: File = { version: 2, current: null, profiles: {} }
const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'

/**
 * The token file `$XDG_CONFIG_HOME/jiaowu/session.json`, readable by its owner only
 * (docs/rules/security.md#t1). Writers hold its lock.
 */
export function sessionFile(env: NodeJS.ProcessEnv, locale: Locale) {
  const folder = findConfigFolder(env)
  const path = join(folder, 'session.json')
  const read = (): File => {
    try {
      const parsed = v.safeParse(file, parseJson(readPrivate(path, locale)))
      return parsed.success ? parsed.output : emptyFile
    } catch (error) {
      if (isMissing(error) || error instanceof SyntaxError) return emptyFile
      throw error
    }
  }
  const write = (content: File) => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const temporary = `${path}.${process.pid}`
    writeFileSync(temporary, JSON.stringify(content), { mode: 0o600 })
    chmodSync(temporary, 0o600)
    renameSync(temporary, path)
  }
  const change = (edit: (all: File) => File): Promise<void> =>
    runLocked(path, () => write(edit(read())))
  const withSession = (all: File, name: string, session: SavedSession, server: string): File => ({
    ...all,
    profiles: { ...all.profiles, [name]: { server, account: session.user.account, session } },
  })
  return {
    path,
    profiles: (): Readonly<Record<string, Profile>> => read().profiles,
    current: (): string | null => read().current,
    get: (name: string): Profile | null => read().profiles[name] ?? null,
    /** Modification time; 0 if there is no file. Changes when any process writes the file. */
    stamp: (): number => {
      try {
        return statSync(path).mtimeMs
      } catch (error) {
        if (isMissing(error)) return 0
        throw error
      }
    },
    /** Stores a sign-in and makes its profile the current one, unless `use` is false. */
    signedIn: (name: string, server: string, session: SavedSession, use = true): Promise<void> =>
      change((all) => ({
        ...withSession(all, name, session, server),
        current: use ? name : all.current,
      })),
    /**
     * Refreshes the session once among all terminals: if another terminal has refreshed it
     * meanwhile, takes that session.
     * @returns the current session
     */
    refreshed: (
      name: string,
      usedToken: string,
      call: () => Promise<SavedSession>,
    ): Promise<SavedSession> =>
      runLocked(path, async () => {
        const saved = read().profiles[name]
        // Another terminal has signed out meanwhile: do not store new tokens.
        if (saved === undefined || saved.session === null)
          throw new ApiProblem({
            kind: 'session',
            code: 401,
            message: { key: 'problem.unauthorized' },
            issues: [],
            data: null,
            traceId: null,
          })
        if (saved.session.refreshToken !== usedToken) return saved.session
        const fresh = await call()
        write(withSession(read(), name, fresh, saved.server))
        return fresh
      }),
    signedOut: (name: string): Promise<void> =>
      change((all) => {
        const known = all.profiles[name]
        return known === undefined
          ? all
          : { ...all, profiles: { ...all.profiles, [name]: { ...known, session: null } } }
      }),
    use: (name: string): Promise<void> => change((all) => ({ ...all, current: name })),
    remove: (name: string): Promise<void> =>
      change(({ profiles: { [name]: _gone, ...profiles }, current }) => ({
        version: 2,
        profiles,
        current: current === name ? (Object.keys(profiles)[0] ?? null) : current,
      })),
  }
}

/** @throws CommandError when other accounts of this machine can read the tokens */
function readPrivate(path: string, locale: Locale): string {
  const isPrivate = process.platform === 'win32' || (statSync(path).mode & 0o077) === 0
  if (!isPrivate) throw new CommandError(exitCodes.refused, t(locale, 'cli.openSession', { path }))
  return readFileSync(path, 'utf8')
}

function findConfigFolder(env: NodeJS.ProcessEnv) {
  return join(env.XDG_CONFIG_HOME ?? join(homedir(), '.config'), 'jiaowu')
}

export type SessionFile = ReturnType<typeof sessionFile>
