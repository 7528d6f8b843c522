import { ApiProblem } from '@jiaowu/api'
import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { locked } from './file-lock.ts'

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
})
/** What the terminal keeps of a sign-in. */
export type SavedSession = v.InferOutput<typeof savedSession>

const profile = v.object({
  server: v.string(),
  account: v.string(),
  session: v.nullable(savedSession),
})
/** A server and an account under a name. Signing out keeps the name, not the tokens. */
export type Profile = v.InferOutput<typeof profile>

const file = v.object({
  version: v.literal(2),
  current: v.nullable(v.string()),
  profiles: v.record(v.string(), profile),
})
type File = v.InferOutput<typeof file>
const blank: File = { version: 2, current: null, profiles: {} }
const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'

/** The token file: `$XDG_CONFIG_HOME/jiaowu/session.json`, readable by its owner only (docs/rules/security.md#t1). Whoever writes holds its lock. */
export function sessionFile(env: NodeJS.ProcessEnv) {
  const folder = folderOf(env)
  const path = join(folder, 'session.json')
  const read = (): File => {
    try {
      const parsed = v.safeParse(file, JSON.parse(readFileSync(path, 'utf8')))
      return parsed.success ? parsed.output : blank
    } catch (error) {
      if (isMissing(error) || error instanceof SyntaxError) return blank
      throw error
    }
  }
  const write = (content: File) => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const fresh = `${path}.${process.pid}`
    writeFileSync(fresh, JSON.stringify(content), { mode: 0o600 })
    chmodSync(fresh, 0o600)
    renameSync(fresh, path)
  }
  const change = (edit: (all: File) => File): Promise<void> =>
    locked(path, () => write(edit(read())))
  const put = (all: File, name: string, session: SavedSession, server: string): File => ({
    ...all,
    profiles: { ...all.profiles, [name]: { server, account: session.user.account, session } },
  })
  return {
    path,
    profiles: (): Readonly<Record<string, Profile>> => read().profiles,
    current: (): string | null => read().current,
    get: (name: string): Profile | null => read().profiles[name] ?? null,
    /** Changes whenever anybody writes. */
    stamp: (): number => {
      try {
        return statSync(path).mtimeMs
      } catch (error) {
        if (isMissing(error)) return 0
        throw error
      }
    },
    /** Keeps a sign-in, and makes its profile the one that is used, unless told not to. */
    signedIn: (name: string, server: string, session: SavedSession, use = true): Promise<void> =>
      change((all) => ({ ...put(all, name, session, server), current: use ? name : all.current })),
    /**
     * One refresh among all terminals: the token is read again under the lock, and when another terminal has replaced it meanwhile, theirs is taken.
     * @returns the session that now holds
     */
    refreshed: (
      name: string,
      usedToken: string,
      call: () => Promise<SavedSession>,
    ): Promise<SavedSession> =>
      locked(path, async () => {
        const saved = read().profiles[name]
        // Signed out meanwhile in another terminal: the tokens are not brought back.
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
        write(put(read(), name, fresh, saved.server))
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

function folderOf(env: NodeJS.ProcessEnv) {
  return join(env.XDG_CONFIG_HOME ?? join(homedir(), '.config'), 'jiaowu')
}

export type SessionFile = ReturnType<typeof sessionFile>
